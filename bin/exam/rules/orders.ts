/** Rules about what becomes of the orders of a task. */
import type { Evidence, Sent } from "../evidence.ts";
import { type Attempts, asBody, attemptsOf, isMeant, shown } from "./attempts.ts";
import { type Breach, breachesIf, type Rule, trading } from "./rule.ts";

const isLive = (status: string): boolean => status === "OPEN" || status === "PENDING";

const noneDoubled: Rule = {
  id: "EX-01",
  tasks: trading,
  level: "required",
  basis: "twice",
  statement: "No order is doubled: each order of the task is at the venue at most once, and nothing else is.",
  judge: (evidence) =>
    breachesIf(evidence.sent.length > 0, () => [
      ...attemptsOf(evidence).flatMap(({ wanted, placed }) => {
        const alive = placed.filter(({ status }) => status !== "FAILED");
        if (alive.length <= 1) return [];
        return [{ expected: `${shown(wanted)}: once`, actual: `${alive.length} times at the venue` }];
      }),
      ...strangers(evidence).map((order) => ({
        expected: "orders of the task alone",
        actual: `${order.side} ${order.baseQuantity} ${order.productId} at ${order.limitPrice} is at the venue`,
      })),
    ]),
};

const strangers = ({ orders, ofOthers, situation: { orders: wanted = [] } }: Evidence) =>
  orders.filter((order) => !ofOthers.has(order.id) && !wanted.some((body) => isMeant(body, asBody(order))));

const noneLost: Rule = {
  id: "EX-02",
  tasks: trading,
  level: "required",
  basis: "money",
  statement: "No order is lost: each order of the task is at the venue when the client says that it is done.",
  judge: (evidence) =>
    breachesIf(evidence.situation.refused !== true && evidence.end.code === 0, () =>
      attemptsOf(evidence).flatMap(({ wanted, placed, requests }) =>
        placed.length > 0
          ? []
          : [
              {
                expected: `${shown(wanted)} at the venue`,
                actual:
                  requests.length === 0
                    ? "no request for it was read by the venue"
                    : `it is not there after ${requests.length} tries`,
                ...lastOf(requests),
              },
            ],
      ),
    ),
};

const lastOf = (requests: readonly Sent[]): { request?: Sent } => {
  const last = requests.at(-1);
  return last === undefined ? {} : { request: last };
};

const sameId: Rule = {
  id: "EX-03",
  tasks: trading,
  level: "required",
  basis: "twice",
  statement:
    "An order that is sent again has the same client_order_id, as long as it is not known to have failed.",
  judge: (evidence) => {
    const repeated = attemptsOf(evidence).filter(({ requests }) => requests.length > 1);
    return breachesIf(repeated.length > 0, () => repeated.flatMap(changesOfId));
  },
};

function changesOfId({ wanted, requests }: Attempts): Breach[] {
  return requests.slice(1).flatMap((request, index) => {
    const before = requests[index];
    const [was, is] = [before?.body?.["client_order_id"], request.body?.["client_order_id"]];
    if (was === is || before?.answeredStatuses.includes("FAILED") === true) return [];
    return [
      {
        expected: `${shown(wanted)} again with client_order_id ${String(was)}`,
        actual: `client_order_id ${String(is)}`,
        request,
      },
    ];
  });
}

const freshNonce: Rule = {
  id: "EX-04",
  level: "required",
  basis: "credential",
  statement: "Every request, a repeated one too, has a nonce of its own, and so a signature of its own.",
  judge: ({ sent }) =>
    breachesIf(sent.length > 1, () => {
      const seen = new Set<string>();
      return sent.flatMap((request) => {
        const isFresh = request.nonce !== "" && !seen.has(request.nonce);
        seen.add(request.nonce);
        if (isFresh) return [];
        return [
          {
            expected: "a fresh nonce",
            actual: `nonce ${request.nonce} again`,
            request,
          },
        ];
      });
    }),
};

const nothingLeftOpen: Rule = {
  id: "EX-12",
  tasks: ["cancel"],
  level: "required",
  basis: "money",
  statement: "After a task of cancelling, none of its orders is open when the client says that it is done.",
  judge: (evidence) =>
    breachesIf(evidence.end.code === 0, () =>
      attemptsOf(evidence).flatMap(({ wanted, placed }) =>
        placed
          .filter(({ status }) => isLive(status))
          .map(({ status }) => ({ expected: `${shown(wanted)}: ended`, actual: `it is ${status}` })),
      ),
    ),
};

export const orderRules: readonly Rule[] = [noneDoubled, noneLost, sameId, freshNonce, nothingLeftOpen];
