import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { buildWorld } from "./build-world.ts";
import { checkWorld } from "./check/check-world.ts";
import { demoWorld } from "./demo-world.ts";
import { loadWorld } from "./load-world.ts";

const worlds = path.resolve(import.meta.dirname, "../../fixtures/worlds");

describe("The demo world", () => {
  it("is sound", () => {
    expect(checkWorld(demoWorld)).toEqual([]);
  });

  it("is the same as fixtures/worlds/demo.yaml", async () => {
    const file = await loadWorld(path.join(worlds, "demo.yaml"));
    if (!file.ok) throw new Error(file.error[0]?.message);
    const built = buildWorld(demoWorld);
    expect(JSON.parse(file.value.world.canonical)).toEqual(JSON.parse(built.world.canonical));
    expect(file.value.world.digest).toBe(built.world.digest);
    expect({ ...file.value, world: null, source: null }).toEqual({ ...built, world: null, source: null });
    expect(file.value.world.keys).toEqual(built.world.keys);
  });

  it("has the keys that are promised to users", () => {
    const { world } = buildWorld(demoWorld);
    const keys = world.keys.map(({ name, keyId, client, claims }) => ({
      name,
      keyId,
      client: client === null ? null : world.clients[client]?.name,
      claims: claims.length === 4 ? "all" : claims.join(" "),
      enabled: !world.disabledKeys.has(keyId),
    }));
    expect(keys).toEqual([
      { name: "trader", keyId: "gw_demo_trader", client: "alice", claims: "all", enabled: true },
      {
        name: "reader",
        keyId: "gw_demo_reader",
        client: "alice",
        claims: "read:orders read:account read:market-data",
        enabled: true,
      },
      { name: "other", keyId: "gw_demo_other", client: "bob", claims: "all", enabled: true },
      { name: "counterparty", keyId: "gw_demo_counterparty", client: "carol", claims: "all", enabled: true },
      {
        name: "read-orders",
        keyId: "gw_demo_read_orders",
        client: "alice",
        claims: "read:orders",
        enabled: true,
      },
      {
        name: "write-orders",
        keyId: "gw_demo_write_orders",
        client: "alice",
        claims: "write:orders",
        enabled: true,
      },
      {
        name: "read-account",
        keyId: "gw_demo_read_account",
        client: "alice",
        claims: "read:account",
        enabled: true,
      },
      {
        name: "market-data",
        keyId: "gw_demo_market_data",
        client: "alice",
        claims: "read:market-data",
        enabled: true,
      },
      { name: "orphan", keyId: "gw_demo_orphan", client: null, claims: "all", enabled: true },
      { name: "disabled", keyId: "gw_demo_disabled", client: "alice", claims: "all", enabled: false },
    ]);
  });

  it("has ids and secrets that name their purpose", () => {
    for (const key of buildWorld(demoWorld, { seed: 77 }).world.keys) {
      expect(key.keyId).toMatch(/^gw_demo_[a-z_]+$/);
      expect(key.secret).toBe(`sandbox-only-secret-of-${key.keyId}`);
    }
  });

  it("lists DOGE-USD, but not for the API", () => {
    const { world } = buildWorld(demoWorld);
    expect([...world.apiDisabled].map((index) => world.products[index]?.id)).toEqual(["DOGE-USD"]);
  });

  it("starts without the YAML parser and the schema library", () => {
    expect([...packagesLoadedBy(path.resolve(import.meta.dirname, "load-world.ts"))]).toEqual([
      "canonicalize",
    ]);
  });
});

/** Packages that a module imports when it is loaded: types and `import()` cost nothing at the start. */
function packagesLoadedBy(start: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = readFileSync(file, "utf8");
    for (const [, clause = "", target = ""] of source.matchAll(/^import ([^;]*?) from "([^"]+)";/gms)) {
      const typesOnly = clause.startsWith("type ") || /^\{(\s*type [^,}]+,?)+\s*\}$/.test(clause);
      if (typesOnly || target.startsWith("node:")) continue;
      if (target.startsWith(".")) visit(path.resolve(path.dirname(file), target));
      else packages.add(target);
    }
  };
  visit(start);
  return packages;
}
