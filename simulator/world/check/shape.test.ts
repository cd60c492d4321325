import { describe, expect, it } from "vitest";
import { changed, problemsIn, smallWorld } from "../testing/small-world.ts";

describe("A world file with a value of the wrong shape", () => {
  it("accepts the small world", async () => {
    expect(await problemsIn(smallWorld)).toMatchInlineSnapshot(`"no problem"`);
  });

  it("names the nearest property for an unknown key", async () => {
    expect(await problemsIn(changed("    feeModel: ALL_IN", "    feeModle: ALL_IN"))).toMatchInlineSnapshot(`
      "
      world.yaml:13:5: clients[0].feeModle is unknown
        13 |     feeModle: ALL_IN
           |     ^^^^^^^^
        did you mean "feeModel"?
      "
    `);
  });

  it("refuses half of a character", async () => {
    expect(await problemsIn(changed("Bitcoin", '"Bit\\uD800coin"'))).toMatchInlineSnapshot(`
      "
      world.yaml:3:26: assets[1].name must be text: half of a surrogate pair is not a character
        3 |   - { symbol: BTC, name: "Bit\\uD800coin" }
          |                          ^^^^^^^^^^^^^^^
      "
    `);
  });

  it("lists the properties when none is near", async () => {
    expect(
      await problemsIn(changed("    client: alice\n", "    client: alice\n    zzzzzzzz: 1\n")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:23:5: keys[0].zzzzzzzz is unknown
        23 |     zzzzzzzz: 1
           |     ^^^^^^^^
        known here: name, keyId, secret, client, claims, enabled
      "
    `);
  });

  it("names the nearest section", async () => {
    expect(await problemsIn(changed("products:", "prodcuts:"))).toMatchInlineSnapshot(`
      "
      world.yaml:4:1: prodcuts is unknown
        4 | prodcuts:
          | ^^^^^^^^
        did you mean "products"?
      "
    `);
  });

  it("asks for quotes around a decimal", async () => {
    expect(await problemsIn(changed('"0.01"', "0.01"))).toMatchInlineSnapshot(`
      "
      world.yaml:7:21: products[0].priceIncrement must be a decimal in quotes, was the number 0.01
        7 |     priceIncrement: 0.01
          |                     ^^^^
        write "0.01": a number would lose digits
      "
    `);
  });

  it("keeps the spelling of an unquoted decimal", async () => {
    expect(await problemsIn(changed('USD: "1000"', "USD: 1000.50"))).toMatchInlineSnapshot(`
      "
      world.yaml:17:12: clients[0].balances.USD must be a decimal in quotes, was the number 1000.50
        17 |       USD: 1000.50
           |            ^^^^^^^
        write "1000.50": a number would lose digits
      "
    `);
  });

  it("refuses a decimal with an exponent", async () => {
    expect(await problemsIn(changed('"0.0001"', '"1e-4"'))).toMatchInlineSnapshot(`
      "
      world.yaml:6:20: products[0].baseIncrement must be a decimal in quotes, such as "0.01": at most 20 digits on each side of one point, no sign or exponent, was "1e-4"
        6 |     baseIncrement: "1e-4"
          |                    ^^^^^^
      "
    `);
  });

  it("refuses a negative decimal", async () => {
    expect(await problemsIn(changed('"1000"', '"-1000"'))).toMatchInlineSnapshot(`
      "
      world.yaml:17:12: clients[0].balances.USD must be a decimal in quotes, such as "0.01": at most 20 digits on each side of one point, no sign or exponent, was "-1000"
        17 |       USD: "-1000"
           |            ^^^^^^^
      "
    `);
  });

  it("names the expected type", async () => {
    expect(await problemsIn(changed("precision: 2", "precision: two"))).toMatchInlineSnapshot(`
      "
      world.yaml:2:48: assets[0].precision must be a whole number from 0 to 18 digits, was "two"
        2 |   - { symbol: USD, name: US dollar, precision: two }
          |                                                ^^^
      "
    `);
  });

  it("counts a span of time in milliseconds", async () => {
    expect(
      await problemsIn(changed("keys:", "settings: { limits: { requestTimeoutMs: 30s } }\nkeys:")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:20:41: settings.limits.requestTimeoutMs must be a whole number from 100 to 600000 ms, was "30s"
        20 | settings: { limits: { requestTimeoutMs: 30s } }
           |                                         ^^^
        write 30000
      "
    `);
  });

  it("says if a number may be absent", async () => {
    expect(
      await problemsIn(changed("keys:", "settings: { slippageCollarBps: 0 }\nkeys:")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:20:32: settings.slippageCollarBps must be null or a whole number from 1 to 10000 basis points, was 0
        20 | settings: { slippageCollarBps: 0 }
           |                                ^
      "
    `);
  });

  it("names the members of each entry of a list", async () => {
    expect(await problemsIn("extends: demo\nassets: { USD: { precision: 2 } }\n")).toMatchInlineSnapshot(`
      "
      world.yaml:2:9: assets must be a list, was a section with properties
        2 | assets: { USD: { precision: 2 } }
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^
        each entry has symbol, name, precision, feeScale, networks
      "
    `);
  });

  it("does not miss sections where extends is misspelled", async () => {
    expect(await problemsIn("extends: dmeo\n")).toMatchInlineSnapshot(`
      "
      world.yaml:1:10: extends must be demo, or a world file in this folder or below it, such as ./base.yaml, was "dmeo"
        1 | extends: dmeo
          |          ^^^^
      "
    `);
  });

  it("looks at the rest of a rule that has a mistake", async () => {
    expect(
      await problemsIn(changed('maxOrderSize: "10"', 'maxOrderSize: "10.00001", enabled: no')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:19:32: clients[0].rules.BTC-USD.maxOrderSize must be a whole multiple of baseIncrement 0.0001, was 10.00001
        19 |       BTC-USD: { maxOrderSize: "10.00001", enabled: no }
           |                                ^^^^^^^^^^
        the nearest are 10 and 10.0001

      world.yaml:19:53: clients[0].rules.BTC-USD.enabled must be true or false, was "no"
        19 |       BTC-USD: { maxOrderSize: "10.00001", enabled: no }
           |                                                     ^^
        write false
      "
    `);
  });

  it("asks for a number without quotes", async () => {
    expect(await problemsIn(changed("precision: 2", 'precision: "2"'))).toMatchInlineSnapshot(`
      "
      world.yaml:2:48: assets[0].precision must be a whole number from 0 to 18 digits, was "2"
        2 |   - { symbol: USD, name: US dollar, precision: "2" }
          |                                                ^^^
        write 2 without quotes
      "
    `);
  });

  it("translates yes and no", async () => {
    expect(
      await problemsIn(changed("    referencePrice", "    apiEnabled: yes\n    referencePrice")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:10:17: products[0].apiEnabled must be true or false, was "yes"
        10 |     apiEnabled: yes
           |                 ^^^
        write true
      "
    `);
  });

  it("states the bounds of a number", async () => {
    expect(await problemsIn(changed("precision: 2", "precision: 19"))).toMatchInlineSnapshot(`
      "
      world.yaml:2:48: assets[0].precision must be a whole number from 0 to 18 digits, was 19
        2 |   - { symbol: USD, name: US dollar, precision: 19 }
          |                                                ^^
      "
    `);
  });

  it("states the unit of a bounded number", async () => {
    expect(
      await problemsIn(changed("keys:", "settings: { matchDelayMs: -1 }\nkeys:")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:20:27: settings.matchDelayMs must be a whole number from 0 to 86400000 ms, was -1
        20 | settings: { matchDelayMs: -1 }
           |                           ^^
      "
    `);
  });

  it("names the nearest choice", async () => {
    expect(await problemsIn(changed("ALL_IN", "ALLIN"))).toMatchInlineSnapshot(`
      "
      world.yaml:13:15: clients[0].feeModel must be one of ALL_IN, COST_PLUS, was "ALLIN"
        13 |     feeModel: ALLIN
           |               ^^^^^
        did you mean "ALL_IN"?
      "
    `);
  });

  it("names the nearest claim", async () => {
    expect(await problemsIn(changed("write:orders", "write:order"))).toMatchInlineSnapshot(`
      "
      world.yaml:23:27: keys[0].claims[1] must be one of read:orders, write:orders, read:account, read:market-data, was "write:order"
        23 |     claims: [read:orders, write:order]
           |                           ^^^^^^^^^^^
        did you mean "write:orders"?
      "
    `);
  });

  it("refuses the same claim twice", async () => {
    expect(await problemsIn(changed("write:orders", "read:orders"))).toMatchInlineSnapshot(`
      "
      world.yaml:23:13: keys[0].claims has the same item twice
        23 |     claims: [read:orders, read:orders]
           |             ^^^^^^^^^^^^^^^^^^^^^^^^^^
        remove one of the two
      "
    `);
  });

  it("explains the spelling of a product id", async () => {
    expect(await problemsIn(changed("id: BTC-USD", "id: BTCUSD"))).toMatchInlineSnapshot(`
      "
      world.yaml:5:9: products[0].id must be BASE-QUOTE in capital letters or digits, such as BTC-USD, was "BTCUSD"
        5 |   - id: BTCUSD
          |         ^^^^^^
      "
    `);
  });

  it("asks for a missing property", async () => {
    expect(await problemsIn(changed('    referencePrice: "60000"\n', ""))).toMatchInlineSnapshot(`
      "
      world.yaml:5:5: products[0].referencePrice is required
        5 |   - id: BTC-USD
          |     ^^^^^^^^^^^
      "
    `);
  });

  it("asks for a missing section", async () => {
    const keys = smallWorld.slice(smallWorld.indexOf("keys:"));
    expect(await problemsIn(changed(keys, ""))).toMatchInlineSnapshot(`
      "
      world.yaml:1:1: the world has no section keys
        1 | assets:
          | ^^^^^^^
        add it, or write "extends: demo" to take keys from the demo world
      "
    `);
  });

  it("refuses an empty section", async () => {
    expect(await problemsIn(changed("keys:", "settings:\nkeys:"))).toMatchInlineSnapshot(`
      "
      world.yaml:20:10: settings must be a section with properties, was nothing
        20 | settings:
           |          ^
        known here: matchDelayMs, syncDelayMs, acceptance, confirmDelayMs, cancelMode, stp, stopOnCrossed, slippageCollarBps, releaseImprovement, marketBuySizeCheck, answerDelayMs, variations, maxOpenOrders, auth, diagnostics, validation, candles, rateLimit, limits
      "
    `);
  });

  it("refuses an empty list of products", async () => {
    expect(await problemsIn("extends: demo\nproducts: []\n")).toMatchInlineSnapshot(`
      "
      world.yaml:2:11: products must have at least one entry
        2 | products: []
          |           ^^
      "
    `);
  });

  it("refuses an empty file", async () => {
    expect(await problemsIn("# nothing yet\n")).toMatchInlineSnapshot(`
      "
      world.yaml:1:1: the world must be a section with properties, was nothing
        1 | # nothing yet
          | ^
        known here: extends, seed, clock, assets, products, market, clients, keys, settings, freedomSet, hostile, freedoms, magic, faults
      "
    `);
  });

  it("refuses a time without a zone", async () => {
    expect(
      await problemsIn(changed("keys:", 'clock: { start: "2026-01-01" }\nkeys:')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:20:17: clock.start must be a time in UTC, such as 2026-01-01T00:00:00.000Z, was "2026-01-01"
        20 | clock: { start: "2026-01-01" }
           |                 ^^^^^^^^^^^^
      "
    `);
  });
});
