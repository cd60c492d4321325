/** Levers of accounts: deposits, balances, per-client rules, fees, keys. */
import type { Command } from "../domain/command.ts";
import { refuse, success } from "../http/route.ts";
import { depositView } from "../wire/account-view.ts";
import { type ControlRoute, type Controls, clientIndex, controlReply, notFound } from "./control-route.ts";
import type { Fields, Values } from "./fields.ts";

/** A lever on one client: resolves its name, submits one command. */
const onClient = (
  path: string,
  summary: string,
  fields: Fields,
  example: Values,
  command: (client: number, values: Values) => Command,
): ControlRoute => ({
  method: "POST",
  path: `/clients/{client}${path}`,
  summary,
  fields,
  example,
  run: async (controls, params, values) => {
    const client = clientIndex(controls, params["client"] ?? "");
    if (typeof client !== "number") return client;
    return controlReply(await controls.venue.submit(command(client, values)), {
      client: params["client"],
      ...values,
    });
  },
});

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);

function depositReply({ venue, ids }: Controls, number: number): ReturnType<typeof success> {
  const deposit = venue.state.deposits[number - 1];
  return deposit === undefined
    ? refuse("NOT_FOUND", "There is no such deposit")
    : success(depositView(venue.state, ids, deposit));
}

const onDeposit = (
  path: string,
  summary: string,
  fields: Fields,
  example: Values,
  command: (deposit: number, values: Values) => Command,
): ControlRoute => ({
  method: "POST",
  path: `/deposits/{id}${path}`,
  summary,
  fields,
  ...(Object.keys(example).length > 0 ? { example } : {}),
  run: async (controls, params, values) => {
    const number = controls.ids.deposit.numberOf(params["id"] ?? "");
    if (number === null)
      return notFound("deposit", params["id"] ?? "", ["every deposit that GET /wallet/deposits lists"]);
    const outcome = await controls.venue.submit(command(number, values));
    return outcome.kind === "rejected" ? controlReply(outcome) : depositReply(controls, number);
  },
});

const RATE = { kind: "signed-decimal" } as const;
const LIMIT = { kind: "decimal", optional: true } as const;

export const ACCOUNT_CONTROLS: readonly ControlRoute[] = [
  {
    method: "POST",
    path: "/clients/{client}/deposits",
    summary: "A deposit arrives; it is credited once it has the network's confirmations.",
    fields: {
      asset: { kind: "text" },
      network: { kind: "text", optional: true },
      amount: { kind: "decimal" },
      confirmations: { kind: "integer", optional: true },
    },
    example: { asset: "BTC", amount: "0.5", confirmations: 3 },
    run: async (controls, params, values) => {
      const client = clientIndex(controls, params["client"] ?? "");
      if (typeof client !== "number") return client;
      const outcome = await controls.venue.submit({
        kind: "CreateDeposit",
        client,
        asset: String(values["asset"]),
        network: text(values["network"]),
        amount: String(values["amount"]),
        confirmations: Number(values["confirmations"] ?? 0),
      });
      return outcome.kind === "done" ? depositReply(controls, outcome.number) : controlReply(outcome);
    },
  },
  onDeposit(
    "/confirmations",
    "Add confirmations to a pending deposit.",
    { confirmations: { kind: "integer" } },
    { confirmations: 3 },
    (deposit, values) => ({
      kind: "AdvanceDeposit",
      deposit,
      confirmations: Number(values["confirmations"]),
    }),
  ),
  onDeposit("/fail", "Fail a pending deposit; nothing is credited.", {}, {}, (deposit) => ({
    kind: "FailDeposit",
    deposit,
  })),
  onClient(
    "/balance",
    "Credit or debit a wallet from outside.",
    {
      asset: { kind: "text" },
      amount: { kind: "decimal" },
      direction: { kind: "text", choices: ["credit", "debit"] },
    },
    { asset: "USD", amount: "500", direction: "credit" },
    (client, values) => ({
      kind: "AdjustBalance",
      client,
      asset: String(values["asset"]),
      amount: String(values["amount"]),
      direction: values["direction"] === "debit" ? "debit" : "credit",
    }),
  ),
  onClient(
    "/rules",
    "Replace a client's rules for one product; a limit left out means the product's own.",
    {
      product: { kind: "text" },
      enabled: { kind: "boolean" },
      minOrderSize: LIMIT,
      maxOrderSize: LIMIT,
      minQuoteValue: LIMIT,
      maxQuoteValue: LIMIT,
    },
    { product: "BTC-USD", enabled: true, minOrderSize: "0.001", maxQuoteValue: "2500" },
    (client, values) => ({
      kind: "SetClientRules",
      client,
      product: String(values["product"]),
      enabled: values["enabled"] === true,
      minOrderSize: text(values["minOrderSize"]),
      maxOrderSize: text(values["maxOrderSize"]),
      minQuoteValue: text(values["minQuoteValue"]),
      maxQuoteValue: text(values["maxQuoteValue"]),
    }),
  ),
  onClient(
    "/trading",
    "Allow or forbid a client to trade at all.",
    { enabled: { kind: "boolean" } },
    { enabled: true },
    (client, values) => ({
      kind: "SetTradingEnabled",
      client,
      enabled: values["enabled"] === true,
    }),
  ),
  onClient(
    "/fees",
    "Change a client's fee rates, spelled as in a world; orders that are accepted already keep theirs.",
    {
      feeModel: { kind: "text", choices: ["ALL_IN", "COST_PLUS"] },
      makerRate: RATE,
      takerRate: RATE,
      exchangeMakerRate: { ...RATE, optional: true },
      exchangeTakerRate: { ...RATE, optional: true },
    },
    { feeModel: "ALL_IN", makerRate: "0.001", takerRate: "0.002" },
    (client, values) => ({
      kind: "SetFees",
      client,
      model: values["feeModel"] === "COST_PLUS" ? "COST_PLUS" : "ALL_IN",
      makerRate: String(values["makerRate"]),
      takerRate: String(values["takerRate"]),
      exchangeMakerRate: String(values["exchangeMakerRate"] ?? "0"),
      exchangeTakerRate: String(values["exchangeTakerRate"] ?? "0"),
    }),
  ),
  {
    method: "POST",
    path: "/keys/{key}",
    summary: "Enable or disable an API key, by its name.",
    fields: { enabled: { kind: "boolean" } },
    example: { enabled: false },
    run: async ({ venue }, params, values) => {
      const { keys } = venue.world;
      const key = keys.find((candidate) => candidate.name === params["key"]);
      if (key === undefined)
        return notFound(
          "key",
          params["key"] ?? "",
          keys.map((candidate) => candidate.name),
        );
      const enabled = values["enabled"] === true;
      const state = enabled ? "enabled" : "disabled";
      return controlReply(await venue.submit({ kind: "SetKeyState", keyId: key.keyId, state }), {
        key: key.name,
        enabled,
      });
    },
  },
];
