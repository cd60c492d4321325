/** Rules about what a client believes at its end, and says. */
import { amountOf, nearlySame, sameAmount } from "../amounts.ts";
import type { Evidence, Level } from "../evidence.ts";
import type { SaidOrder } from "../said.ts";
import type { VenueOrder } from "../situation.ts";
import { attemptsOf } from "./attempts.ts";
import { type Breach, breachesIf, type Rule, trading } from "./rule.ts";

const ended = ["FILLED", "CANCELLED", "EXPIRED"];
const known = ["OPEN", "PENDING", ...ended];

const believesTheVenue: Rule = {
  id: "EX-08",
  tasks: [...trading, "follow"],
  level: "required",
  basis: "money",
  statement:
    "At the end the client reports its orders as they are at the venue, and none of them as PENDING.",
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
  tasks: [...trading, "follow"],
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
            request,
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

/** The levels that each side must show, if the venue has them. */
const fewestLevels = 10;

const rightBook: Rule = {
  id: "EX-09",
  tasks: ["book"],
  level: "required",
  basis: "money",
  statement: `The book that the client reports at the end is that of the venue, with at least its ${fewestLevels} best levels of each side.`,
  judge: ({ end, said, book }) => {
    if (book === undefined || end.code !== 0 || said.kind !== "book") return undefined;
    const { bookSequence } = said.book;
    if (bookSequence !== book.bookSequence)
      return [{ expected: `bookSequence ${book.bookSequence}`, actual: `bookSequence ${bookSequence}` }];
    return (["bids", "asks"] as const).flatMap((side) => levelDifference(side, book[side], said.book[side]));
  },
};

function levelDifference(side: string, real: readonly Level[], said: readonly Level[]): Breach[] {
  const needed = Math.min(fewestLevels, real.length);
  if (said.length < needed) return [{ expected: `${needed} ${side}`, actual: `${said.length} of them` }];
  const at = said.findIndex((level, index) => !isSameLevel(level, real[index]));
  if (at === -1) return [];
  return [{ expected: `${side}[${at}] ${levelShown(real[at])}`, actual: levelShown(said[at]) }];
}

const isSameLevel = (said: Level, real: Level | undefined): boolean =>
  sameAmount(said.price, real?.price) && sameAmount(said.quantity, real?.quantity);

const levelShown = (level: Level | undefined): string =>
  level === undefined ? "no level" : `${level.quantity} at ${level.price}`;

export const beliefRules: readonly Rule[] = [believesTheVenue, rightBook, exactAmounts];
