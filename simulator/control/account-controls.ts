/** Controls of accounts: balances, per-client rules, fees. */
import type { Command } from "../domain/command.ts";
import {
  decimal,
  flag,
  maybe,
  oneOf,
  productId,
  rate,
  type Shape,
  section,
  symbol,
} from "../schema/fields.ts";
import { worldDefaults } from "../world/defaults.ts";
import { clientIndex, unknownClient } from "./clients.ts";
import { controlReply, controlRoute, echo, type RefusedCall } from "./control-route.ts";
import type { Verb } from "./verb-types.ts";

/** Every member of a body, as it was set. */
type AsSet<B> = { readonly [K in keyof B]-?: Exclude<B[K], undefined> };

interface ClientControl<P extends string, V extends readonly Verb[], B> {
  readonly path: P;
  readonly operationId: string;
  readonly summary: string;
  readonly body: { readonly shape: Shape<B>; readonly example: NoInfer<B> };
  readonly refusals?: readonly RefusedCall[];
  readonly verbs: V;
  readonly command: (client: number, body: B) => { readonly command: Command; readonly set: AsSet<B> };
}

/** A control on one client: resolves its name, submits one command, answers what was set. */
const onClient = <const P extends string, const V extends readonly Verb[], B extends object>({
  path,
  refusals = [],
  command,
  ...of
}: ClientControl<P, V, B>) =>
  controlRoute({
    ...of,
    method: "POST",
    path: `/clients/{client}${path}`,
    answer: echo({ client: "alice" }, of.body),
    refusals: [unknownClient, ...refusals],
    run: async (controls, { client: name = "" }, body) => {
      const client = clientIndex(controls, name);
      if (typeof client !== "number") return client;
      const { command: submitted, set } = command(client, body);
      return controlReply(await controls.venue.submit(submitted), { client: name, ...set });
    },
  });

const limit = (description: string, unit: string) =>
  maybe(decimal(`${description} Absent or null: the product's own.`, { unit }));

const exchangeRate = (who: string) =>
  maybe(rate(`Exchange fee of ${who}, on top of the commission. Absent or null: 0.`));

export const accountControls = [
  onClient({
    path: "/balance",
    operationId: "adjustBalance",
    verbs: [
      {
        words: "client credit",
        args: ["asset", "amount"],
        fixed: { direction: "credit" },
        does: "Credit a wallet from outside.",
      },
      {
        words: "client debit",
        args: ["asset", "amount"],
        fixed: { direction: "debit" },
        does: "Debit a wallet from outside.",
      },
    ],
    summary: "Credit or debit a wallet from outside.",
    body: {
      shape: section({
        asset: symbol("Which wallet."),
        amount: decimal("How much.", { unit: "asset" }),
        direction: oneOf(["credit", "debit"], "Into the wallet or out of it."),
      }),
      example: { asset: "USD", amount: "500", direction: "credit" },
    },
    refusals: [
      {
        code: "INVALID_COMMAND",
        when: "The asset is unknown, or the amount is zero, has too many digits, or is more than is available.",
        body: { asset: "XYZ", amount: "500", direction: "credit" },
        message: "Unknown asset XYZ",
        details: [{ field: "asset" }],
      },
    ],
    command: (client, body) => ({ command: { kind: "AdjustBalance", client, ...body }, set: body }),
  }),
  onClient({
    path: "/rules",
    operationId: "setClientRules",
    verbs: [{ words: "client rules", args: ["product"] }],
    summary: "Replace a client's rules for one product; a limit left out means the product's own.",
    body: {
      shape: section({
        product: productId("Which product."),
        enabled: flag("Whether the client may trade it."),
        minOrderSize: limit("Smallest quantity.", "base asset"),
        maxOrderSize: limit("Largest quantity.", "base asset"),
        minQuoteValue: limit("Smallest order value.", "quote asset"),
        maxQuoteValue: limit("Largest order value.", "quote asset"),
      }),
      example: { product: "BTC-USD", enabled: true, minOrderSize: "0.001", maxQuoteValue: "2500" },
    },
    refusals: [
      {
        code: "INVALID_COMMAND",
        when: "The product is unknown, a limit is off its increments, or a smallest is above a largest.",
        body: { product: "BTC-USD", enabled: true, minOrderSize: "2", maxOrderSize: "1" },
        message: "minOrderSize 2 is above maxOrderSize 1",
        details: [{ field: "minOrderSize" }],
      },
    ],
    command: (client, { product, enabled, ...limits }) => {
      const { minOrderSize = null, maxOrderSize = null, minQuoteValue = null, maxQuoteValue = null } = limits;
      const rules = { product, enabled, minOrderSize, maxOrderSize, minQuoteValue, maxQuoteValue };
      return { command: { kind: "SetClientRules", client, ...rules }, set: rules };
    },
  }),
  onClient({
    path: "/trading",
    operationId: "allowTrading",
    verbs: [
      { words: "client allow", fixed: { enabled: true }, does: "Allow a client to trade." },
      { words: "client forbid", fixed: { enabled: false }, does: "Forbid a client to trade at all." },
    ],
    summary: "Allow or forbid a client to trade at all.",
    body: {
      shape: section({ enabled: flag("Whether the client may trade.") }),
      example: { enabled: true },
    },
    command: (client, body) => ({ command: { kind: "SetTradingEnabled", client, ...body }, set: body }),
  }),
  onClient({
    path: "/fees",
    operationId: "setFees",
    verbs: [{ words: "client fees" }],
    summary:
      "Change a client's fee rates, spelled as in a world; orders that are accepted already keep theirs.",
    body: {
      shape: section({
        feeModel: oneOf(
          ["ALL_IN", "COST_PLUS"],
          "ALL_IN: one commission. COST_PLUS: a commission, and the exchange fee on top.",
        ),
        makerRate: rate("Commission on value that rested in the book; negative for a rebate."),
        takerRate: rate("Commission on value taken from the book."),
        exchangeMakerRate: exchangeRate("a maker"),
        exchangeTakerRate: exchangeRate("a taker"),
      }),
      example: { feeModel: "ALL_IN", makerRate: "0.001", takerRate: "0.002" },
    },
    refusals: [
      {
        code: "INVALID_COMMAND",
        when: "A rate is below -0.1 or above 0.5, or has too many digits.",
        body: { feeModel: "ALL_IN", makerRate: "0.001", takerRate: "0.6" },
        message:
          "takerRate must be a fraction between -0.1 and 0.5 as a decimal string with at most 10 decimals",
        details: [{ field: "takerRate" }],
      },
    ],
    command: (client, { feeModel: model, makerRate, takerRate, ...onTop }) => {
      const rates = {
        makerRate,
        takerRate,
        exchangeMakerRate: onTop.exchangeMakerRate ?? worldDefaults.client.exchangeMakerRate,
        exchangeTakerRate: onTop.exchangeTakerRate ?? worldDefaults.client.exchangeTakerRate,
      };
      return { command: { kind: "SetFees", client, model, ...rates }, set: { feeModel: model, ...rates } };
    },
  }),
] as const;
