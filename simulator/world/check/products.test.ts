import { describe, expect, it } from "vitest";
import { changed, problemsIn } from "../testing/small-world.ts";

describe("A world file with a product whose numbers do not fit together", () => {
  it("refuses an increment of zero", async () => {
    expect(await problemsIn(changed('"0.0001"', '"0"'))).toMatchInlineSnapshot(`
      "
      world.yaml:6:20: products[0].baseIncrement must be greater than zero
        6 |     baseIncrement: "0"
          |                    ^^^
      "
    `);
  });

  it("refuses a size that is not whole lots", async () => {
    expect(await problemsIn(changed('"0.001"', '"0.00015"'))).toMatchInlineSnapshot(`
      "
      world.yaml:8:22: products[0].exchangeMinSize must be a whole multiple of baseIncrement 0.0001, was 0.00015
        8 |     exchangeMinSize: "0.00015"
          |                      ^^^^^^^^^
        the nearest are 0.0001 and 0.0002
      "
    `);
  });

  it("refuses a smallest size above the largest", async () => {
    expect(
      await problemsIn(changed('exchangeMinSize: "0.001"', 'exchangeMinSize: "101"')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:8:22: products[0].exchangeMinSize 101 is above exchangeMaxSize 100
        8 |     exchangeMinSize: "101"
          |                      ^^^^^
        no order could satisfy both
      "
    `);
  });

  it("refuses order sizes outside the exchange's", async () => {
    expect(
      await problemsIn(changed("    referencePrice", '    minOrderSize: "200"\n    referencePrice')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:10:19: products[0].minOrderSize 200 is above exchangeMaxSize 100
        10 |     minOrderSize: "200"
           |                   ^^^^^
        no order could satisfy both
      "
    `);
  });

  it("refuses a size that the venue cannot count", async () => {
    expect(
      await problemsIn(changed('exchangeMaxSize: "100"', 'exchangeMaxSize: "900719925474.0992"')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:9:22: products[0].exchangeMaxSize is 9007199254740992 lots of 0.0001; the venue counts to 9007199254740991 (2^53 - 1)
        9 |     exchangeMaxSize: "900719925474.0992"
          |                      ^^^^^^^^^^^^^^^^^^^
        use at most 900719925474.0991, or a larger increment
      "
    `);
  });

  it("refuses a price that is not on a tick", async () => {
    expect(await problemsIn(changed('"60000"', '"60000.005"'))).toMatchInlineSnapshot(`
      "
      world.yaml:10:21: products[0].referencePrice must be a whole multiple of priceIncrement 0.01, was 60000.005
        10 |     referencePrice: "60000.005"
           |                     ^^^^^^^^^^^
        the nearest are 60000 and 60000.01
      "
    `);
  });

  it("refuses a price of zero", async () => {
    expect(await problemsIn(changed('"60000"', '"0"'))).toMatchInlineSnapshot(`
      "
      world.yaml:10:21: products[0].referencePrice must be greater than zero
        10 |     referencePrice: "0"
           |                     ^^^
      "
    `);
  });

  it("refuses a price that the venue cannot count", async () => {
    expect(await problemsIn(changed('"60000"', '"90071992547409.92"'))).toMatchInlineSnapshot(`
      "
      world.yaml:10:21: products[0].referencePrice is 9007199254740992 ticks of 0.01; the venue counts to 9007199254740991 (2^53 - 1)
        10 |     referencePrice: "90071992547409.92"
           |                     ^^^^^^^^^^^^^^^^^^^
        use at most 90071992547409.91, or a larger increment
      "
    `);
  });

  it("refuses a price without room above it", async () => {
    expect(await problemsIn(changed('"60000"', '"90071992547409.91"'))).toMatchInlineSnapshot(`
      "
      world.yaml:10:21: products[0].referencePrice leaves no room for price levels above it: the venue counts to 9007199254740991 ticks (2^53 - 1)
        10 |     referencePrice: "90071992547409.91"
           |                     ^^^^^^^^^^^^^^^^^^^
      "
    `);
  });

  it("refuses a price of too few ticks for a synthetic market", async () => {
    expect(await problemsIn(changed('"60000"', '"0.02"'))).toMatchInlineSnapshot(`
      "
      world.yaml:10:21: products[0].referencePrice is only 2 ticks, too few for a synthetic market with spacingTicks 1
        10 |     referencePrice: "0.02"
           |                     ^^^^^^
        use a smaller priceIncrement or spacingTicks, or "liquidity: { mode: empty }"
      "
    `);
  });

  it("refuses increments with more digits than the ledger carries", async () => {
    expect(await problemsIn(changed('"0.01"', '"0.000000000000001"'))).toMatchInlineSnapshot(`
      "
      world.yaml:7:21: products[0].priceIncrement and baseIncrement together need 19 digits of USD
        7 |     priceIncrement: "0.000000000000001"
          |                     ^^^^^^^^^^^^^^^^^^^
        the ledger carries at most 18: use larger increments

      world.yaml:10:21: products[0].referencePrice is 60000000000000000000 ticks of 0.000000000000001; the venue counts to 9007199254740991 (2^53 - 1)
        10 |     referencePrice: "60000"
           |                     ^^^^^^^
        use at most 9.007199254740991, or a larger increment

      world.yaml:17:12: clients[0].balances.USD brings all balances in USD above 0.9223372036854775807
        17 |       USD: "1000"
           |            ^^^^^^
        that is what the ledger counts to at 19 digits
      "
    `);
  });

  it("refuses values with more digits than the ledger carries", async () => {
    expect(
      await problemsIn(
        changed("    referencePrice", '    exchangeQuoteMinSize: "0.000000001"\n    referencePrice'),
      ),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:10:27: products[0].exchangeQuoteMinSize has more digits than the 8 that the ledger carries for USD, was 0.000000001
        10 |     exchangeQuoteMinSize: "0.000000001"
           |                           ^^^^^^^^^^^^^
      "
    `);
  });

  it("refuses exchange sizes above the gateway's", async () => {
    const world = changed('exchangeMinSize: "0.001"', 'maxOrderSize: "1"\n    exchangeMinSize: "2"');
    expect(await problemsIn(world)).toMatchInlineSnapshot(`
      "
      world.yaml:9:22: products[0].exchangeMinSize 2 is above maxOrderSize 1
        9 |     exchangeMinSize: "2"
          |                      ^^^
        no order could satisfy both
      "
    `);
  });

  it("refuses a liquidity quantity that is not whole lots", async () => {
    expect(
      await problemsIn(changed("clients:", '    liquidity: { mode: pinned, quantity: "0.00005" }\nclients:')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:11:42: products[0].liquidity.quantity must be a whole multiple of baseIncrement 0.0001, was 0.00005
        11 |     liquidity: { mode: pinned, quantity: "0.00005" }
           |                                          ^^^^^^^^^
        the smallest is 0.0001
      "
    `);
  });
});
