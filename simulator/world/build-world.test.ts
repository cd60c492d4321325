import { describe, expect, it } from "vitest";
import { buildWorld } from "./build-world.ts";
import { demoWorld } from "./demo-world.ts";
import type { WorldFile } from "./schema.ts";
import { defaultServerSettings } from "./server-settings.ts";

const digestOf = (file: WorldFile, seed?: number): string =>
  buildWorld(file, seed === undefined ? {} : { seed }).world.digest;

describe("The digest of a world", () => {
  const demo = digestOf(demoWorld);

  it("is that of RFC 8785, as in the files of earlier versions", () => {
    expect(demo).toBe("59f27930b234c33205d3232a5eb22802ac20e579f4463e3e3b4e27b0c6bd4e25");
  });

  it("changes with the seed and the start, and with a fault, a fee, a balance or a halt", () => {
    const [client, ...others] = demoWorld.clients ?? [];
    const [product, ...rest] = demoWorld.products ?? [];
    if (client === undefined || product === undefined) throw new Error("the demo world is empty");
    const worlds: WorldFile[] = [
      { ...demoWorld, seed: 2 },
      { ...demoWorld, clock: { start: "2026-01-01T00:00:00.001Z" } },
      { ...demoWorld, faults: [{ id: "slow", fault: { kind: "delay", ms: 1 } }] },
      { ...demoWorld, clients: [{ ...client, takerRate: "0.003" }, ...others] },
      { ...demoWorld, clients: [{ ...client, balances: { USD: "1" } }, ...others] },
      { ...demoWorld, products: [{ ...product, halted: true }, ...rest] },
      { ...demoWorld, settings: { matchDelayMs: 0 } },
    ];
    expect(new Set([demo, ...worlds.map((world) => digestOf(world))]).size).toBe(worlds.length + 1);
    expect(digestOf(demoWorld, 2)).toBe(digestOf({ ...demoWorld, seed: 2 }));
  });

  it("stays the same when only secrets, the clock mode or the server change", () => {
    const keys = (demoWorld.keys ?? []).map((key) => ({ ...key, secret: "quite-another-secret-1" }));
    expect(digestOf({ ...demoWorld, keys })).toBe(demo);
    expect(digestOf({ ...demoWorld, clock: { mode: "manual" }, magic: false })).toBe(demo);
    expect(digestOf({ ...demoWorld, settings: { diagnostics: false, auth: { clockWindowMs: 1000 } } })).toBe(
      demo,
    );
  });

  it("does not depend on the order of names in a section", () => {
    const clients = (demoWorld.clients ?? []).map((client) => ({
      ...client,
      balances: Object.fromEntries(Object.entries(client.balances ?? {}).reverse()),
    }));
    expect(digestOf({ ...demoWorld, clients })).toBe(demo);
  });

  it("is over a text without secrets", () => {
    const { world } = buildWorld(demoWorld);
    for (const key of world.keys) expect(world.canonical).not.toContain(key.secret);
  });
});

describe("A world's settings", () => {
  it("are the defaults when the file has none", () => {
    expect(buildWorld(demoWorld).server).toEqual(defaultServerSettings);
  });

  it("replace single defaults and leave the others", () => {
    const { world, server } = buildWorld({
      ...demoWorld,
      settings: { stp: "none", auth: { signedPath: "either" }, limits: { bodyBytes: 2048 } },
    });
    expect(world.settings).toMatchObject({ stp: "none", matchDelayMs: 50 });
    expect(world.settings).not.toHaveProperty("auth");
    expect(server.auth).toEqual({ ...defaultServerSettings.auth, signedPath: "either" });
    expect(server.limits).toEqual({ ...defaultServerSettings.limits, bodyBytes: 2048 });
  });

  it("remember nonces for five minutes, or twice a longer window", () => {
    const retention = (clockWindowMs: number) =>
      buildWorld({ ...demoWorld, settings: { auth: { clockWindowMs } } }).server.auth.nonceRetentionMs;
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
    const [product] = demoWorld.products ?? [];
    if (product === undefined) throw new Error("the demo world is empty");
    const built = buildWorld({ ...demoWorld, products: [{ ...product, halted: true }] });
    expect(built.opening).toEqual([{ kind: "SetHalted", product: "BTC-USD", halted: true }]);
  });

  it("completes a fault whose outcome is unknown", () => {
    const faults: WorldFile["faults"] = [
      { id: "lost", nth: 2, fault: { kind: "externalFailure", outcome: "unknown" } },
    ];
    const fault = { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 1000 };
    expect(buildWorld({ ...demoWorld, faults }).world.faults).toEqual([{ id: "lost", nth: 2, fault }]);
  });

  it("makes ids and secrets from names, independent of the seed", () => {
    const keys: WorldFile["keys"] = [
      { name: "bot", client: "alice", claims: ["write:orders", "read:orders"] },
    ];
    const made = [1, 2].map((seed) => buildWorld({ ...demoWorld, keys }, { seed }).world.keys);
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

  it("refuses an unchecked world instead of building another one", () => {
    expect(() => buildWorld({})).toThrow("a world needs assets, products, clients and keys");
  });
});
