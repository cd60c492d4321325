import { describe, expect, it } from "vitest";
import { changed, problemsIn } from "../testing/small-world.ts";

describe("A world file with a reference to nowhere", () => {
  it("names the nearest asset of a product", async () => {
    expect(await problemsIn(changed("id: BTC-USD", "id: BTC-UST"))).toMatchInlineSnapshot(`
      "
      world.yaml:5:9: products[0].id refers to asset "UST", which does not exist
        5 |   - id: BTC-UST
          |         ^^^^^^^
        did you mean "USD"?

      world.yaml:19:7: clients[0].rules.BTC-USD refers to product "BTC-USD", which does not exist
        19 |       BTC-USD: { maxOrderSize: "10" }
           |       ^^^^^^^
        did you mean "BTC-UST"?
      "
    `);
  });

  it("names the nearest product of a rule", async () => {
    expect(await problemsIn(changed("      BTC-USD: {", "      BTC-USDT: {"))).toMatchInlineSnapshot(`
      "
      world.yaml:19:7: clients[0].rules.BTC-USDT refers to product "BTC-USDT", which does not exist
        19 |       BTC-USDT: { maxOrderSize: "10" }
           |       ^^^^^^^^
        did you mean "BTC-USD"?
      "
    `);
  });

  it("names the nearest asset of a balance", async () => {
    expect(await problemsIn(changed('USD: "1000"', 'USDC: "1000"'))).toMatchInlineSnapshot(`
      "
      world.yaml:17:7: clients[0].balances.USDC refers to asset "USDC", which does not exist
        17 |       USDC: "1000"
           |       ^^^^
        did you mean "USD"?
      "
    `);
  });

  it("names the nearest client of a key", async () => {
    expect(await problemsIn(changed("client: alice", "client: alise"))).toMatchInlineSnapshot(`
      "
      world.yaml:22:13: keys[0].client refers to client "alise", which does not exist
        22 |     client: alise
           |             ^^^^^
        did you mean "alice"?
      "
    `);
  });

  it("lists the clients when none is near", async () => {
    expect(await problemsIn(changed("client: alice", "client: zoe-the-second"))).toMatchInlineSnapshot(`
      "
      world.yaml:22:13: keys[0].client refers to client "zoe-the-second", which does not exist
        22 |     client: zoe-the-second
           |             ^^^^^^^^^^^^^^
        clients are alice
      "
    `);
  });

  it("names the nearest product and key of a fault", async () => {
    expect(
      await problemsIn(
        changed(
          "keys:",
          "faults:\n  - { id: a, fault: { kind: delay, ms: 1 }, product: BTC-EUR, key: tradre }\nkeys:",
        ),
      ),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:21:54: faults[0].product refers to product "BTC-EUR", which does not exist
        21 |   - { id: a, fault: { kind: delay, ms: 1 }, product: BTC-EUR, key: tradre }
           |                                                      ^^^^^^^
        products are BTC-USD

      world.yaml:21:68: faults[0].key refers to key "tradre", which does not exist
        21 |   - { id: a, fault: { kind: delay, ms: 1 }, product: BTC-EUR, key: tradre }
           |                                                                    ^^^^^^
        did you mean "trader"?
      "
    `);
  });

  it("says when the missing name would come from the demo world", async () => {
    expect(await problemsIn("extends: demo\nclients: []\n")).toMatchInlineSnapshot(`
      "
      world.yaml:1:10: keys of the demo world do not fit this file: keys[0].client refers to client "alice", which does not exist
        1 | extends: demo
          |          ^^^^
        a section of this file replaces that of the demo world: complete it, or give the section keys, too
      "
    `);
  });

  it("refuses a product that trades an asset for itself", async () => {
    expect(await problemsIn(changed("id: BTC-USD", "id: BTC-BTC"))).toMatchInlineSnapshot(`
      "
      world.yaml:5:9: products[0].id trades an asset for itself
        5 |   - id: BTC-BTC
          |         ^^^^^^^

      world.yaml:19:7: clients[0].rules.BTC-USD refers to product "BTC-USD", which does not exist
        19 |       BTC-USD: { maxOrderSize: "10" }
           |       ^^^^^^^
        products are BTC-BTC
      "
    `);
  });
});

describe("A world file with a name that is given twice", () => {
  it("refuses an asset that is given twice", async () => {
    expect(
      await problemsIn(changed("  - { symbol: BTC", "  - { symbol: USD, name: Dollar }\n  - { symbol: BTC")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:3:15: assets[1].symbol repeats "USD" of assets[0]
        3 |   - { symbol: USD, name: Dollar }
          |               ^^^
      "
    `);
  });

  it("refuses a client that is given twice", async () => {
    expect(
      await problemsIn(
        changed("keys:", '  - { name: alice, feeModel: ALL_IN, makerRate: "0", takerRate: "0" }\nkeys:'),
      ),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:20:13: clients[1].name repeats "alice" of clients[0]
        20 |   - { name: alice, feeModel: ALL_IN, makerRate: "0", takerRate: "0" }
           |             ^^^^^
      "
    `);
  });

  it("refuses a key name that is given twice", async () => {
    expect(
      await problemsIn(changed("keys:", "keys:\n  - { name: trader, client: alice, claims: [] }")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:22:11: keys[1].name repeats "trader" of keys[0]
        22 |   - name: trader
           |           ^^^^^^
      "
    `);
  });

  it("refuses a key id that is given twice", async () => {
    expect(
      await problemsIn(
        changed("keys:", "keys:\n  - { name: first, keyId: gw_trader, client: alice, claims: [] }"),
      ),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:22:5: keys[1].keyId is gw_trader, as that of keys[0]
        22 |   - name: trader
           |     ^^^^^^^^^^^^
      "
    `);
  });

  it("refuses a network that is given twice, and two defaults", async () => {
    expect(
      await problemsIn(
        changed(
          "name: Bitcoin }",
          "name: Bitcoin, networks: [{ id: a, name: A, isDefault: true }, { id: a, name: B, isDefault: true }] }",
        ),
      ),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:3:89: assets[1].networks[1].id repeats "a"
        3 | …networks: [{ id: a, name: A, isDefault: true }, { id: a, name: B, isDefault: true }] }
          |                                                        ^

      world.yaml:3:112: assets[1].networks[1].isDefault must be false: a is the default already
        3 | …e: A, isDefault: true }, { id: a, name: B, isDefault: true }] }
          |                                                        ^^^^
      "
    `);
  });

  it("refuses a fault id that is given twice", async () => {
    expect(
      await problemsIn(
        changed(
          "keys:",
          "faults:\n  - { id: a, fault: { kind: neverSync } }\n  - { id: a, fault: { kind: stuckPending } }\nkeys:",
        ),
      ),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:22:11: faults[1].id repeats "a" of faults[0]
        22 |   - { id: a, fault: { kind: stuckPending } }
           |           ^
      "
    `);
  });
});
