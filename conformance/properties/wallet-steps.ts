import type { Expectation, WrittenStep } from "../model/language.ts";
import type { ValueMap } from "../model/value.ts";
import { matched, type Side } from "./own-book.ts";
import { call } from "./templates.ts";

/**
 * The effect of a trade on the wallets of the trader, if the profile maps them. Whether fees are taken from one asset
 * or the other is open; that they are taken once is not (ORD-60).
 */
const mapped = { operation: "wallets" };
const assets = { quote: "${quote}", base: "${base}" };

/** The two assets of a product, as variables. */
export function assetsOf(product: string): ValueMap {
  const asset = (form: string): ValueMap => ({ $pair: { product, form } });
  return { quote: asset("{quote}"), base: asset("{base}") };
}

const unreadable = "the wallets of the product's two assets cannot be read (operations.wallets.wallet)";

const known = (name: string): WrittenStep => ({
  note: unreadable,
  onFail: "block",
  assert: { left: `\${${name}.balance}`, is: { $dec: { gte: "0" } } },
});

export const fundsOf = (as: string): readonly WrittenStep[] => [
  {
    id: "funds",
    when: mapped,
    call: { op: "wallets", as },
    capture: { quoteBefore: { wallet: assets.quote }, baseBefore: { wallet: assets.base } },
  },
  ...["quoteBefore", "baseBefore"].map((name): WrittenStep => ({ when: mapped, ...known(name) })),
];

export const walletsBefore = fundsOf("trader");

/** The wallets of the counterparty, after `walletsBefore`. */
export const theirFunds: readonly WrittenStep[] = [
  {
    id: "theirs",
    call: { op: "wallets", as: "counterparty" },
    capture: { theirQuote: { wallet: assets.quote }, theirBase: { wallet: assets.base } },
  },
  ...["theirQuote", "theirBase"].map(known),
];

/**
 * `size` is a number of quantities: sixteen of them are within the limits of the product, and both sides can pay for
 * them.
 */
export const largestVars: ValueMap = {
  maxSize: { $qty: { size: "max", product: "${product}" } },
  payable: { $calc: "min(quoteBefore.available, theirQuote.available) / ask @ 8" },
  tradable: {
    $calc: "min(min(baseBefore.available, theirBase.available), min(maxSize, payable))",
  },
  size: { $calc: "quantity * max(1, tradable / (quantity * 16) @ 0)" },
};

/** Each of the `fills` may have been rounded to a hundredth. */
export function paid(side: Side, fills: number): WrittenStep[] {
  const rounding = `0.${String(fills).padStart(2, "0")}`;
  const [gone, come] = side === "BUY" ? ["quote", "base"] : ["base", "quote"];
  const wentAway = { $calc: `${gone}Before.balance - ${gone}After.balance` };
  const cameIn = { $calc: `${come}After.balance - ${come}Before.balance` };
  // The quote asset changes by the value and the fees, or by the value alone if fees are taken from the base
  // asset.
  const quoted = {
    $anyOf: [side === "BUY" ? "value + fees" : "value - fees", "value"].map((amount) => ({
      $dec: { near: { $calc: amount }, tol: rounding },
    })),
  };
  const cost = side === "BUY" ? quoted : { $decVar: "got" };
  const gain = side === "BUY" ? { $dec: { gt: "0", lte: { $calc: "got" } } } : quoted;
  const moved: Expectation = {
    wallet: { of: assets.base, is: { balance: { $not: { $dec: "${baseBefore.balance}" } } } },
  };
  return [
    {
      when: mapped,
      note: "the target shows no fees or no received amount",
      onFail: "block",
      assert: { of: "end" },
      expect: { order: { fees: { $type: "string" }, totalUserRecieveAmount: { $type: "string" } } },
    },
    {
      id: "settled",
      when: mapped,
      note: "the wallets do not show the trade",
      onFail: "block",
      poll: { call: { op: "wallets" }, until: moved, every: "40ms", within: "3s" },
      capture: { quoteAfter: { wallet: assets.quote }, baseAfter: { wallet: assets.base } },
    },
    { when: mapped, spec: ["ORD-60"], assert: { left: wentAway, is: cost } },
    { when: mapped, spec: ["ORD-60"], assert: { left: cameIn, is: gain } },
    { when: mapped, spec: ["ORD-56"], assert: { left: cameIn, is: { $decVar: "received" } } },
    ...freed,
  ];
}

/** A target may release the funds of earlier orders some time after their end. */
const heldAtMost = (which: string): ValueMap => ({ $dec: { gte: "0", lte: `\${${which}Before.hold}` } });

const free = (which: string): ValueMap => ({
  hold: heldAtMost(which),
  available: { $decVar: "balance - hold" },
});

/** The order is repeated: it exists, so nothing changes; also in wallets that are known from `paid`. */
export function repeated(isPaid: boolean): WrittenStep[] {
  const again = call(
    "again",
    "placeOrder",
    { body: "${mine.request.body}" },
    { spec: ["PLC-10"], expect: { $macro: "replayed(mineOrder)" } },
  );
  if (!isPaid) return [again];
  const still = (which: string): ValueMap => ({
    balance: { $dec: `\${${which}After.balance}` },
    hold: heldAtMost(which),
  });
  const moved = (["quote", "base"] as const).map(
    (which): Expectation => ({
      wallet: { of: assets[which], is: { $not: still(which) } },
    }),
  );
  const watch = (during: string): WrittenStep => ({
    spec: ["PLC-10"],
    never: { call: { op: "wallets" }, match: { $anyOf: moved }, for: during, every: during },
  });
  const clock = { capability: "clock.control" };
  return [
    again,
    matched,
    { when: { ...mapped, ...clock }, ...watch("1ms") },
    { when: { ...mapped, not: clock }, ...watch("50ms") },
  ];
}

/** After `walletsBefore` and orders for that amount, all filled. Fees may be taken out of the bought amount. */
export const tradedOnce = (side: Side, amount: string): WrittenStep[] => [
  {
    id: "once",
    when: mapped,
    spec: ["ORD-60"],
    poll: {
      call: { op: "wallets" },
      until: {
        wallet: {
          of: assets.base,
          is: {
            balance:
              side === "SELL"
                ? { $decVar: `baseBefore.balance - ${amount}` }
                : {
                    $dec: {
                      gte: { $calc: `baseBefore.balance + ${amount} * 0.9` },
                      lte: { $calc: `baseBefore.balance + ${amount}` },
                    },
                  },
          },
        },
      },
      every: "40ms",
      within: "3s",
    },
  },
];

/** After `fundsOf` this role and a request that is not an order. */
export const nothingHeld = (clause: string, as = "trader"): WrittenStep[] => [
  { id: "after", when: mapped, call: { op: "wallets", as } },
  ...(["quote", "base"] as const).map(
    (which): WrittenStep => ({
      when: mapped,
      spec: [clause],
      assert: { of: "after" },
      expect: {
        wallet: {
          of: assets[which],
          is: {
            balance: { $dec: `\${${which}Before.balance}` },
            hold: heldAtMost(which),
          },
        },
      },
    }),
  ),
];

/** No more is held than before, and nothing is released twice. */
export const freedBy = (clause: string): WrittenStep[] =>
  (["quote", "base"] as const).map(
    (which): WrittenStep => ({
      when: mapped,
      spec: [clause],
      poll: {
        call: { op: "wallets" },
        until: { wallet: { of: assets[which], is: free(which) } },
        every: "40ms",
        within: "3s",
      },
    }),
  );

export const freed: readonly WrittenStep[] = freedBy("PLC-36");
