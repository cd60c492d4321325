/** Controls of deposits: they arrive, are confirmed, or fail. */
import type { Command } from "../domain/command.ts";
import { refuse, refuseRejected, success } from "../http/route.ts";
import { decimal, integer, maybe, type Shape, section, symbol, text } from "../schema/fields.ts";
import { depositView } from "../wire/account-view.ts";
import { component } from "../wire/components.ts";

import { clientIndex, unknownClient } from "./clients.ts";
import { type Controls, controlRoute, notFound, type RefusedCall } from "./control-route.ts";

const noDeposit = "8f14e45f-ceea-467f-a83c-91d6a2f4a001";
const unknownDeposit: RefusedCall = {
  code: "NOT_FOUND",
  when: "There is no such deposit.",
  params: { id: noDeposit },
  message: `There is no deposit ${noDeposit}: GET /wallet/deposits lists those of a client`,
};

const depositAnswer = {
  schema: component("Deposit"),
  example: {
    id: noDeposit,
    walletId: "8f14e45f-ceea-467f-a83c-91d6a2f4a002",
    asset: "BTC",
    network: "bitcoin-mainnet",
    amount: "0.5",
    status: "CONFIRMED",
    address: "simulated-address",
    accountIdentifier: null,
    txHash: "simulated-transaction",
    confirmations: 3,
    confirmationsRequired: 3,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    completedAt: "2026-01-01T00:00:00.000Z",
  },
};

function depositReply({ venue, ids }: Controls, number: number) {
  const deposit = venue.state.deposits[number - 1];
  return deposit === undefined
    ? refuse("NOT_FOUND", "There is no such deposit")
    : success(depositView(venue.state, ids, deposit));
}

async function onDeposit(controls: Controls, id: string, command: (deposit: number) => Command) {
  const number = controls.ids.deposit.numberOf(id);
  if (number === null) return notFound("deposit", id, "GET /wallet/deposits lists those of a client");
  const outcome = await controls.venue.submit(command(number));
  return outcome.kind === "rejected" ? refuseRejected(outcome.rejection) : depositReply(controls, number);
}

const confirmations = (description: string): Shape<number> =>
  integer(0, 1_000_000, description, { unit: "confirmations" });

export const depositControls = [
  controlRoute({
    method: "POST",
    path: "/clients/{client}/deposits",
    operationId: "createDeposit",
    verbs: [{ words: "deposit create", args: ["asset", "amount"] }],
    summary: "A deposit arrives; it is credited once it has the network's confirmations.",
    body: {
      shape: section({
        asset: symbol("What arrives."),
        network: maybe(text(64, "Over which network; the default one when absent or null.")),
        amount: decimal("How much.", { unit: "asset" }),
        confirmations: maybe(confirmations("How many it has at once; none when absent or null.")),
      }),
      example: { asset: "BTC", amount: "0.5", confirmations: 3 },
    },
    answer: depositAnswer,
    refusals: [
      unknownClient,
      {
        code: "ASSET_NOT_SUPPORTED",
        when: "The asset is unknown or takes no deposits.",
        body: { asset: "XYZ", amount: "0.5" },
        message: "Unknown asset XYZ",
        details: [{ field: "asset" }],
      },
      {
        code: "NETWORK_NOT_SUPPORTED",
        when: "The asset has no such network.",
        body: { asset: "BTC", network: "lightning", amount: "0.5" },
        message: "BTC has no network lightning; it has bitcoin-mainnet",
        details: [{ field: "network" }],
      },
      {
        code: "INVALID_COMMAND",
        when: "The amount is zero, too small for the network, or has too many digits.",
        body: { asset: "BTC", amount: "0" },
        message: "amount must be above zero",
        details: [{ field: "amount" }],
      },
    ],
    run: async (controls, { client: name = "" }, body) => {
      const client = clientIndex(controls, name);
      if (typeof client !== "number") return client;
      const { asset, network = null, amount, confirmations: given } = body;
      const deposit = { client, asset, network, amount, confirmations: given ?? 0 };
      const outcome = await controls.venue.submit({ kind: "CreateDeposit", ...deposit });
      return outcome.kind === "rejected"
        ? refuseRejected(outcome.rejection)
        : depositReply(controls, outcome.kind === "done" ? outcome.number : 0);
    },
  }),
  controlRoute({
    method: "POST",
    path: "/deposits/{id}/confirmations",
    operationId: "confirmDeposit",
    verbs: [{ words: "deposit confirm", args: ["confirmations"] }],
    summary: "Add confirmations to a pending deposit.",
    body: {
      shape: section({ confirmations: confirmations("How many more.") }),
      example: { confirmations: 3 },
    },
    answer: depositAnswer,
    refusals: [unknownDeposit],
    run: (controls, { id = "" }, body) =>
      onDeposit(controls, id, (deposit) => ({ kind: "AdvanceDeposit", deposit, ...body })),
  }),
  controlRoute({
    method: "POST",
    path: "/deposits/{id}/fail",
    operationId: "failDeposit",
    verbs: [{ words: "deposit fail" }],
    summary: "Fail a pending deposit; nothing is credited.",
    answer: depositAnswer,
    refusals: [unknownDeposit],
    run: (controls, { id = "" }) => onDeposit(controls, id, (deposit) => ({ kind: "FailDeposit", deposit })),
  }),
] as const;
