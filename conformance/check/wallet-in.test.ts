import { describe, expect, it } from "vitest";
import { mappedDefaults } from "../contract/operations.ts";
import { readJson } from "./lossless-json.ts";
import { walletIn } from "./wallet-in.ts";

const { wallet: usual } = mappedDefaults;

function read(listing: unknown, asset: string, names = usual): Record<string, unknown> | undefined {
  const reading = readJson(Buffer.from(JSON.stringify(listing)));
  const found = walletIn(reading.ok ? reading.json : undefined, asset, names);
  return found === undefined ? undefined : Object.fromEntries(found.entries);
}

describe("a wallet in a listing", () => {
  const usd = { asset: "USD", balance: "10.50", hold: "0.1", available: "10.4" };

  it("is that of its asset, each amount as it is shown", () => {
    const listing = [{ asset: "BTC", balance: "1", available: "1" }, usd];
    expect(read(listing, "USD")).toEqual({ balance: "10.5", hold: "0.1", available: "10.4" });
    // Amounts that do not add up are for a scenario to find, and are not corrected here.
    expect(read([{ ...usd, available: "3" }], "USD")).toMatchObject({ available: "3", hold: "0.1" });
  });

  it.each([
    ["available", { balance: "10.5", hold: "0.1" }],
    ["hold", { balance: "10.5", available: "10.4" }],
    ["balance", { hold: "0.1", available: "10.4" }],
  ])("may do without %s, which the other two tell", (_, shown) => {
    expect(read([{ asset: "USD", ...shown }], "USD")).toEqual({
      balance: "10.5",
      hold: "0.1",
      available: "10.4",
    });
  });

  it("is unknown when one amount is all that is shown, or none", () => {
    for (const shown of [
      {},
      { balance: "1" },
      { hold: "1" },
      { available: "1" },
      { balance: null, hold: "x" },
    ])
      expect(read([{ asset: "USD", ...shown }], "USD"), JSON.stringify(shown)).toBeUndefined();
    expect(read([usd], "EUR")).toBeUndefined();
    expect(read({ USD: usd }, "USD")).toBeUndefined();
  });

  it("has the names that the profile gives, numbers included", () => {
    const names = { asset: "#/currency/code", balance: "#/total", hold: "#/locked", available: "#/free" };
    const listing = [{ currency: { code: "USD" }, total: 3, locked: 1 }];
    expect(read(listing, "USD", names)).toEqual({ balance: "3", hold: "1", available: "2" });
  });
});
