/** Money from outside (F-deposit-states): credited once, when enough confirmations have come, and never by a refusal. */
import { describe, expect, test } from "vitest";
import type { Network } from "../domain/market.ts";
import { plain, rejectionOf, Table } from "./testing/table.ts";
import type { VenueSpec } from "./testing/venue-spec.ts";

const network = (id: string, change: Partial<Network> = {}): Network => ({
  id,
  name: id,
  isDefault: false,
  maxDecimals: 8,
  depositEnabled: true,
  minDepositAmount: "0",
  accountIdentifierName: null,
  confirmationsRequired: 3,
  addressPrefix: `${id}-`,
  ...change,
});

const specFields: VenueSpec = {
  ...plain,
  assets: [
    {
      symbol: "COIN",
      networks: [
        network("slow", { isDefault: true }),
        network("tagged", { accountIdentifierName: "memo" }),
        network("off", { depositEnabled: false }),
      ],
    },
    { symbol: "USD" },
  ],
};

const create = {
  kind: "CreateDeposit",
  client: 0,
  asset: "COIN",
  network: null,
  amount: "2.5",
  confirmations: 0,
} as const;
const advance = (confirmations: number) => ({ kind: "AdvanceDeposit", deposit: 1, confirmations }) as const;

describe("a deposit", () => {
  test("is credited with the confirmation that completes it, and only then", () => {
    const table = new Table(specFields);
    expect(table.do(create)).toEqual({ kind: "done", number: 1 });
    table.do(advance(2));
    expect(table.wallet("ann", "COIN")).toBe("100000, 0 on hold");
    expect(table.drive.state.deposits[0]).toMatchObject({
      status: "PENDING",
      confirmations: 2,
      completedAt: null,
    });
    table.drive.advance(10);
    table.do(advance(7));
    expect(table.wallet("ann", "COIN")).toBe("100002.5, 0 on hold");
    expect(table.drive.state.deposits[0]).toMatchObject({
      status: "CONFIRMED",
      confirmations: 3,
      completedAt: table.drive.now,
    });
    table.drive.audit();
  });

  test("that is over stays over", () => {
    const table = new Table(specFields);
    table.do({ ...create, confirmations: 3 });
    table.do({ ...create, amount: "1" });
    table.do({ kind: "FailDeposit", deposit: 2 });
    const before = table.stateHash();
    for (const deposit of [1, 2, 3]) {
      expect(rejectionOf(table.do({ kind: "AdvanceDeposit", deposit, confirmations: 1 })).code).toBe(
        "INVALID_COMMAND",
      );
      expect(rejectionOf(table.do({ kind: "FailDeposit", deposit })).code).toBe("INVALID_COMMAND");
    }
    expect(table.stateHash()).toBe(before);
    expect(table.wallet("ann", "COIN")).toBe("100002.5, 0 on hold");
  });

  test.each([
    { change: { asset: "GOLD" }, code: "ASSET_NOT_SUPPORTED" },
    { change: { asset: "USD" }, code: "ASSET_NOT_SUPPORTED" },
    { change: { network: "fast" }, code: "NETWORK_NOT_SUPPORTED" },
    { change: { network: "off" }, code: "NETWORK_NOT_SUPPORTED" },
    { change: { amount: "0" }, code: "INVALID_COMMAND" },
    { change: { amount: "-1" }, code: "INVALID_COMMAND" },
    { change: { amount: "0.000000001" }, code: "INVALID_COMMAND" },
  ])("with $change is refused as $code and leaves nothing", ({ change, code }) => {
    const table = new Table(specFields);
    const before = table.stateHash();
    expect(rejectionOf(table.do({ ...create, ...change })).code).toBe(code);
    expect(table.stateHash()).toBe(before);
  });

  test("goes to the client's newest address of that network, or makes one", () => {
    const table = new Table(specFields);
    table.do(create);
    table.do({ kind: "CreateDepositAddress", client: 0, asset: "COIN", network: null });
    table.do(create);
    table.do({ ...create, client: 1, network: "tagged" });
    const { addresses, deposits } = table.drive.state;
    expect(addresses.length).toBe(3);
    expect(new Set(addresses.map((one) => one.address)).size).toBe(3);
    expect(deposits.map((one) => one.address)).toEqual(addresses.map((one) => one.address));
    expect(addresses.map((one) => one.accountIdentifier)).toEqual([null, null, "100003"]);
  });
});

describe("an adjustment", () => {
  test("takes no more than is free", () => {
    const table = new Table(specFields);
    table.place("ann", "BUY LIMIT 10 @ 100");
    const debit = { kind: "AdjustBalance", client: 0, asset: "USD", direction: "debit" } as const;
    expect(rejectionOf(table.do({ ...debit, amount: "999000.00000001" })).message).toBe(
      "Only 999000 USD is available; the rest is on hold for open orders",
    );
    expect(table.do({ ...debit, amount: "999000" }).kind).toBe("done");
    expect(table.wallet("ann", "USD")).toBe("1000, 1000 on hold");
    expect(table.do({ ...debit, amount: "1", direction: "credit" }).kind).toBe("done");
    expect(table.wallet("ann", "USD")).toBe("1001, 1000 on hold");
    table.drive.audit();
  });
});

describe("rules of the venue", () => {
  test.each([
    { kind: "SetHalted", product: "NO-USD", halted: true },
    { kind: "SetApiEnabled", product: "NO-USD", enabled: true },
    { kind: "PrintTrade", product: "NO-USD", price: "1", quantity: "1" },
    { kind: "RefreshLiquidity", product: "NO-USD", levels: [] },
  ] as const)("$kind of an unknown product is refused", (command) => {
    expect(rejectionOf(new Table().do(command))).toMatchObject({ code: "INVALID_COMMAND", field: "product" });
  });

  test.each([
    ["makerRate", "0.6"],
    ["makerRate", "-0.2"],
    ["takerRate", "1e-3"],
    ["exchangeMakerRate", "0.00000000001"],
    ["exchangeTakerRate", ""],
    ["takerRate", "--0.01"],
  ])("a fee with %s of %j is refused", (field, text) => {
    const fees = { makerRate: "0", takerRate: "0", exchangeMakerRate: "0", exchangeTakerRate: "0" };
    const command = { kind: "SetFees", client: 0, model: "COST_PLUS", ...fees, [field]: text } as const;
    expect(rejectionOf(new Table().do(command))).toMatchObject({ code: "INVALID_COMMAND", field });
  });

  test.each([
    [{ minOrderSize: "0.5" }, "minOrderSize"],
    [{ maxOrderSize: "1.5" }, "maxOrderSize"],
    [{ minQuoteValue: "0.000000001" }, "minQuoteValue"],
    [{ maxQuoteValue: "-1" }, "maxQuoteValue"],
    [{ minOrderSize: "5", maxOrderSize: "4" }, "minOrderSize"],
  ])("client rules with %j are refused", (change, field) => {
    const none = { minOrderSize: null, maxOrderSize: null, minQuoteValue: null, maxQuoteValue: null };
    const command = {
      kind: "SetClientRules",
      client: 0,
      product: "COIN-USD",
      enabled: true,
      ...none,
      ...change,
    } as const;
    expect(rejectionOf(new Table().do(command))).toMatchObject({ code: "INVALID_COMMAND", field });
  });
});
