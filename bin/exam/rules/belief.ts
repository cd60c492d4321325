/** Rules about what a client believes at its end, and says. */
import { amountOf, nearlySame, sameAmount } from "../amounts.ts";
import type { Evidence } from "../evidence.ts";
import type { SaidOrder } from "../said.ts";
import type { VenueOrder } from "../situation.ts";
import { attemptsOf, requestShown } from "./attempts.ts";
import { type Breach, breachesIf, type Rule, trading } from "./rule.ts";

const ended = ["FILLED", "CANCELLED", "EXPIRED"];
const known = ["OPEN", "PENDING", ...ended];

const believesTheVenue: Rule = {
  id: "EX-08",
  tasks: trading,
  level: "required",
  basis: "money",
  statement:
    "What the client says of its orders at the end is how they are at the venue, and none of them is PENDING.",
  judge: ({ end, said, orders }) => {
    if (end.code !== 0 || said.kind !== "orders") return undefined;
    const byId = new Map(said.orders.map((one) => [one.clientOrderId.toLowerCase(), one]));
    const real = new Set(orders.map(({ clientOrderId }) => clientOrderId.toLowerCase()));
    return [
      ...orders.flatMap((order) => differences(order, byId.get(order.clientOrderId.toLowerCase()))),
      ...said.orders
        .filter((one) => !real.has(one.clientOrderId.toLowerCase()) && known.includes(String(one.status)))
        .map((one) => ({
          expected: `no order ${one.clientOrderId}`,
          actual: `the client says ${String(one.status)}`,
        })),
    ];
  },
};

function differences(order: VenueOrder, said: SaidOrder | undefined): Breach[] {
  const { clientOrderId, status, filledQuantity } = order;
  const real = `${clientOrderId}: ${status}, ${filledQuantity ?? "0"} filled`;
  if (said === undefined) return [{ expected: real, actual: "the client says nothing of it" }];
  const filled = said.filledQuantity ?? "0";
  const isRight =
    said.status === status && (sameAmount(filled, filledQuantity ?? "0") || isDust(filled, filledQuantity));
  if (isRight && status !== "PENDING") return [];
  const actual = `the client says ${String(said.status)}, ${String(filled)} filled`;
  return [{ expected: isRight ? "an end, or exit code 3" : real, actual }];
}

/** The number that is meant, spelled with what arithmetic in floating point adds: another rule speaks of it. */
const isDust = (said: unknown, real: string | null): boolean =>
  !sameAmount(said, real ?? "0") && nearlySame(said, real ?? "0") && Number(real ?? "0") !== 0;

const amounts = ["price", "base_quantity", "quote_value", "stop_price"];

const exactAmounts: Rule = {
  id: "EX-11",
  tasks: trading,
  level: "required",
  basis: "money",
  statement:
    "Amounts are decimals as text and exact, in requests and in what the client says: no dust of floating point.",
  judge: (evidence) => {
    const requests = attemptsOf(evidence).flatMap(({ wanted, requests: own }) =>
      own.flatMap((request) =>
        amounts
          .filter((name) => wanted[name] !== undefined && !sameAmount(wanted[name], request.body?.[name]))
          .map((name) => ({
            expected: `${name} "${wanted[name]}"`,
            actual: JSON.stringify(request.body?.[name]) ?? "none",
            request: requestShown(request),
          })),
      ),
    );
    return breachesIf(evidence.sent.length > 0, () => [...requests, ...dustSaid(evidence)]);
  },
};

function dustSaid({ said, orders }: Evidence): Breach[] {
  if (said.kind !== "orders") return [];
  return orders.flatMap(({ clientOrderId, filledQuantity }) => {
    const one = said.orders.find(
      (order) => order.clientOrderId.toLowerCase() === clientOrderId.toLowerCase(),
    );
    const filled = one?.filledQuantity ?? "0";
    if (one === undefined || (amountOf(filled) !== undefined && !isDust(filled, filledQuantity))) return [];
    return [
      { expected: `filledQuantity "${filledQuantity ?? "0"}"`, actual: JSON.stringify(filled) ?? "none" },
    ];
  });
}

export const beliefRules: readonly Rule[] = [believesTheVenue, exactAmounts];
