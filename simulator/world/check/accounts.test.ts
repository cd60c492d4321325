import { describe, expect, it } from "vitest";
import { changed, problemsIn } from "../testing/small-world.ts";

describe("A world file with accounts that do not fit together", () => {
  it("refuses balances with more digits than the ledger carries", async () => {
    expect(await problemsIn(changed('USD: "1000"', 'USD: "0.000000001"'))).toMatchInlineSnapshot(`
      "
      world.yaml:17:12: clients[0].balances.USD has more digits than the 8 that the ledger carries for USD, was 0.000000001
        17 |       USD: "0.000000001"
           |            ^^^^^^^^^^^^^
      "
    `);
  });

  it("refuses balances that together pass 2^63 - 1 units", async () => {
    expect(await problemsIn(changed('USD: "1000"', 'USD: "92233720368.54775808"'))).toMatchInlineSnapshot(`
      "
      world.yaml:17:12: clients[0].balances.USD brings all balances in USD above 92233720368.54775807
        17 |       USD: "92233720368.54775808"
           |            ^^^^^^^^^^^^^^^^^^^^^^
        that is what the ledger counts to at 8 digits
      "
    `);
  });

  it("adds the balances of all clients up", async () => {
    const client = (usd: string) =>
      `  - { name: bob-${usd}, feeModel: ALL_IN, makerRate: "0", takerRate: "0", balances: { USD: "${usd}" } }\n`;
    const world = changed("keys:", `${client("50000000000")}${client("42233719368")}${client("1")}keys:`);
    expect(await problemsIn(world)).toMatchInlineSnapshot(`
      "
      world.yaml:22:87: clients[3].balances.USD brings all balances in USD above 92233720368.54775807
        22 |   - { name: bob-1, feeModel: ALL_IN, makerRate: "0", takerRate: "0", balances: { USD: "1" } }
           |                                                                                       ^^^
        that is what the ledger counts to at 8 digits
      "
    `);
  });

  it("refuses a rate that must have been a percentage", async () => {
    expect(await problemsIn(changed('takerRate: "0.002"', 'takerRate: "25"'))).toMatchInlineSnapshot(`
      "
      world.yaml:15:16: clients[0].takerRate must be a fraction from -1 to 1, was 25
        15 |     takerRate: "25"
           |                ^^^^
        write 0.25 % as "0.0025"
      "
    `);
  });

  it("refuses a negative taker rate", async () => {
    expect(await problemsIn(changed('takerRate: "0.002"', 'takerRate: "-0.002"'))).toMatchInlineSnapshot(`
      "
      world.yaml:15:16: clients[0].takerRate must not be negative, was -0.002
        15 |     takerRate: "-0.002"
           |                ^^^^^^^^
        only maker rates may be rebates
      "
    `);
  });

  it("accepts a rebate", async () => {
    expect(await problemsIn(changed('makerRate: "0.001"', 'makerRate: "-0.001"'))).toMatchInlineSnapshot(
      `"no problem"`,
    );
  });

  it("refuses rates with too many digits", async () => {
    expect(
      await problemsIn(changed('takerRate: "0.002"', 'takerRate: "0.00000000001"')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:15:16: clients[0].takerRate must have at most 10 digits after the point, was 0.00000000001
        15 |     takerRate: "0.00000000001"
           |                ^^^^^^^^^^^^^^^
      "
    `);
  });

  it("refuses exchange rates for ALL_IN", async () => {
    expect(
      await problemsIn(changed("    balances:", '    exchangeTakerRate: "0.001"\n    balances:')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:16:24: clients[0].exchangeTakerRate must be 0 for a client with feeModel ALL_IN
        16 |     exchangeTakerRate: "0.001"
           |                        ^^^^^^^
        the exchange fee on top belongs to COST_PLUS
      "
    `);
  });

  it("refuses rules whose smallest size is above the largest", async () => {
    expect(
      await problemsIn(changed('{ maxOrderSize: "10" }', '{ minOrderSize: "11", maxOrderSize: "10" }')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:19:32: clients[0].rules.BTC-USD.minOrderSize 11 is above maxOrderSize 10
        19 |       BTC-USD: { minOrderSize: "11", maxOrderSize: "10" }
           |                                ^^^^
        no order could satisfy both
      "
    `);
  });

  it("refuses rules that are not whole lots", async () => {
    expect(
      await problemsIn(changed('{ maxOrderSize: "10" }', '{ maxOrderSize: "10.00001" }')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:19:32: clients[0].rules.BTC-USD.maxOrderSize must be a whole multiple of baseIncrement 0.0001, was 10.00001
        19 |       BTC-USD: { maxOrderSize: "10.00001" }
           |                                ^^^^^^^^^^
        the nearest are 10 and 10.0001
      "
    `);
  });

  it("refuses a nonce memory shorter than twice the window", async () => {
    expect(
      await problemsIn(
        changed("keys:", "settings: { auth: { clockWindowMs: 60000, nonceRetentionMs: 100000 } }\nkeys:"),
      ),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:20:61: settings.auth.nonceRetentionMs must be at least twice clockWindowMs (120000), was 100000
        20 | settings: { auth: { clockWindowMs: 60000, nonceRetentionMs: 100000 } }
           |                                                             ^^^^^^
        a nonce forgotten earlier could be used again
      "
    `);
  });

  it("refuses a route that an order fault cannot have", async () => {
    expect(
      await problemsIn(
        changed("keys:", "faults:\n  - { id: a, route: GET /order, fault: { kind: neverSync } }\nkeys:"),
      ),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:21:21: faults[0].route must be "POST /order": neverSync happens to an order that is placed
        21 |   - { id: a, route: GET /order, fault: { kind: neverSync } }
           |                     ^^^^^^^^^^
      "
    `);
  });

  it("refuses a route that does not exist, for any fault, and names the nearest", async () => {
    const withRoute = (route: string, kind: string) =>
      problemsIn(changed("keys:", `faults:\n  - { id: a, route: "${route}", fault: { ${kind} } }\nkeys:`));
    expect(await withRoute("POST /orders", "kind: dropConnectionAfter")).toMatchInlineSnapshot(`
      "
      world.yaml:21:21: faults[0].route must be a route of the gateway, was "POST /orders"
        21 |   - { id: a, route: "POST /orders", fault: { kind: dropConnectionAfter } }
           |                     ^^^^^^^^^^^^^^
        did you mean "POST /order"?
      "
    `);
    expect(await withRoute("GET /order/open/all", "kind: delay, ms: 5")).toContain(
      "must be a route of the gateway",
    );
    expect(await withRoute("GET /order/{id}", "kind: delay, ms: 5")).toBe("no problem");
  });

  it("refuses properties of the other outcome", async () => {
    expect(
      await problemsIn(
        changed(
          "keys:",
          "faults:\n  - { id: a, fault: { kind: externalFailure, outcome: certain, afterMs: 5 } }\nkeys:",
        ),
      ),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:21:64: faults[0].fault.afterMs belongs to outcome "unknown" only
        21 |   - { id: a, fault: { kind: externalFailure, outcome: certain, afterMs: 5 } }
           |                                                                ^^^^^^^
      "
    `);
  });
});
