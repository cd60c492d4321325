import { describe, expect, it } from "vitest";
import { buildWorld } from "./build-world.ts";
import { DEMO_WORLD } from "./demo-world.ts";
import type { WorldFile } from "./schema.ts";
import { DEFAULT_SERVER_SETTINGS } from "./server-settings.ts";

const digestOf = (file: WorldFile, seed?: number): string =>
  buildWorld(file, seed === undefined ? {} : { seed }).world.digest;

describe("The digest of a world", () => {
  const demo = digestOf(DEMO_WORLD);

  it("changes with the seed and the start, and with a fault, a fee, a balance or a halt", () => {
    const [client, ...others] = DEMO_WORLD.clients ?? [];
    const [product, ...rest] = DEMO_WORLD.products ?? [];
    if (client === undefined || product === undefined) throw new Error("the demo world is empty");
    const worlds: WorldFile[] = [
      { ...DEMO_WORLD, seed: 2 },
      { ...DEMO_WORLD, clock: { start: "2026-01-01T00:00:00.001Z" } },
      { ...DEMO_WORLD, faults: [{ id: "slow", fault: { kind: "delay", ms: 1 } }] },
      { ...DEMO_WORLD, clients: [{ ...client, takerRate: "0.003" }, ...others] },
      { ...DEMO_WORLD, clients: [{ ...client, balances: { USD: "1" } }, ...others] },
      { ...DEMO_WORLD, products: [{ ...product, halted: true }, ...rest] },
      { ...DEMO_WORLD, settings: { matchDelayMs: 0 } },
    ];
    expect(new Set([demo, ...worlds.map((world) => digestOf(world))]).size).toBe(worlds.length + 1);
    expect(digestOf(DEMO_WORLD, 2)).toBe(digestOf({ ...DEMO_WORLD, seed: 2 }));
  });

  it("stays the same when only secrets, the clock mode or the server change", () => {
    const keys = (DEMO_WORLD.keys ?? []).map((key) => ({ ...key, secret: "quite-another-secret-1" }));
    expect(digestOf({ ...DEMO_WORLD, keys })).toBe(demo);
    expect(digestOf({ ...DEMO_WORLD, clock: { mode: "manual" }, magic: false })).toBe(demo);
    expect(digestOf({ ...DEMO_WORLD, settings: { diagnostics: false, auth: { clockWindowMs: 1000 } } })).toBe(
      demo,
    );
  });

  it("does not depend on the order of names in a section", () => {
    const clients = (DEMO_WORLD.clients ?? []).map((client) => ({
      ...client,
      balances: Object.fromEntries(Object.entries(client.balances ?? {}).reverse()),
    }));
    expect(digestOf({ ...DEMO_WORLD, clients })).toBe(demo);
  });

  it("is over a text without secrets", () => {
    const { world } = buildWorld(DEMO_WORLD);
    for (const key of world.keys) expect(world.canonical).not.toContain(key.secret);
  });
});

describe("A world's settings", () => {
  it("are the defaults when the file has none", () => {
    expect(buildWorld(DEMO_WORLD).server).toEqual(DEFAULT_SERVER_SETTINGS);
  });

  it("replace single defaults and leave the others", () => {
    const { world, server } = buildWorld({
      ...DEMO_WORLD,
      settings: { stp: "none", auth: { signedPath: "either" }, limits: { bodyBytes: 2048 } },
    });
    expect(world.settings).toMatchObject({ stp: "none", matchDelayMs: 50 });
    expect(world.settings).not.toHaveProperty("auth");
    expect(server.auth).toEqual({ ...DEFAULT_SERVER_SETTINGS.auth, signedPath: "either" });
    expect(server.limits).toEqual({ ...DEFAULT_SERVER_SETTINGS.limits, bodyBytes: 2048 });
  });

  it("remember nonces for five minutes, or twice a longer window", () => {
    const retention = (clockWindowMs: number) =>
      buildWorld({ ...DEMO_WORLD, settings: { auth: { clockWindowMs } } }).server.auth.nonceRetentionMs;
    expect([retention(1000), retention(150_000), retention(150_001)]).toEqual([300_000, 300_000, 300_002]);
  });
});

describe("A built world", () => {
  it("takes the sections it leaves out from the demo world, and no other", () => {
    const { world } = buildWorld({ extends: "demo", clients: [], keys: [], seed: 9 });
    expect(world.clients).toEqual([]);
    expect(world.products.map((product) => product.id)).toContain("SHIB-USD");
    expect(world.seed).toBe(9);
  });

  it("halts a product with a command, because a journal must show it", () => {
    const [product] = DEMO_WORLD.products ?? [];
    if (product === undefined) throw new Error("the demo world is empty");
    const built = buildWorld({ ...DEMO_WORLD, products: [{ ...product, halted: true }] });
    expect(built.opening).toEqual([{ kind: "SetHalted", product: "BTC-USD", halted: true }]);
  });

  it("completes a fault whose outcome is unknown", () => {
    const faults: WorldFile["faults"] = [
      { id: "lost", nth: 2, fault: { kind: "externalFailure", outcome: "unknown" } },
    ];
    const fault = { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 1000 };
    expect(buildWorld({ ...DEMO_WORLD, faults }).world.faults).toEqual([{ id: "lost", nth: 2, fault }]);
  });

  it("makes ids and secrets from names, whatever the seed", () => {
    const keys: WorldFile["keys"] = [
      { name: "bot", client: "alice", claims: ["write:orders", "read:orders"] },
    ];
    const made = [1, 2].map((seed) => buildWorld({ ...DEMO_WORLD, keys }, { seed }).world.keys);
    expect(made[0]).toEqual(made[1]);
    expect(made[0]).toEqual([
      {
        name: "bot",
        keyId: "gw_bot",
        secret: "sandbox-only-secret-of-gw_bot",
        client: 0,
        claims: ["read:orders", "write:orders"],
      },
    ]);
  });

  it("refuses what was never checked, instead of building something else", () => {
    expect(() => buildWorld({})).toThrow("a world needs assets, products, clients and keys");
  });
});
