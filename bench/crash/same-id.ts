/** Many parallel requests with one client_order_id create one order, over any number of sockets and keys. */
import { randomUUID } from "node:crypto";
import { type Attempt, History, type OrderHistory, type OrderRecord } from "./history.ts";
import type { ServedKey } from "./served-venue.ts";
import { SignedClient, type Where } from "./signed-client.ts";

export interface AtOnce {
  readonly requests: number;
  readonly sockets: number;
}

export async function placeAtOnce(
  where: Where,
  keys: readonly ServedKey[],
  { requests, sockets }: AtOnce,
): Promise<OrderHistory> {
  const history = new History();
  const body = {
    product: "BTC-USD",
    side: "BUY",
    type: "LIMIT",
    base_quantity: "0.01",
    price: "30000",
    client_order_id: randomUUID(),
  };
  const clients = keys.map((key) => new SignedClient(where, key, Math.ceil(sockets / keys.length)));
  const order = history.of("the client", body.client_order_id);
  const send = async (client: SignedClient): Promise<void> => {
    const invokedAt = history.tick();
    const answer = await client.post("/order", body);
    order.attempts.push(attemptOf(answer.status, answer.body["data"], invokedAt, history.tick()));
  };
  const share = Math.ceil(requests / clients.length);
  await Promise.all(clients.flatMap((client) => Array.from({ length: share }, () => send(client))));
  for (const client of clients) client.close();
  return order;
}

function attemptOf(status: number, data: unknown, invokedAt: number, answeredAt: number): Attempt {
  // as: `data` of an OrderResult, as the specification has it.
  const { type, order = null } = (data ?? {}) as { readonly type?: string; readonly order?: OrderRecord };
  if (status !== 200 || order === null) return { invokedAt, answeredAt, outcome: "refused", order: null };
  return { invokedAt, answeredAt, outcome: type === "NEW_ORDER" ? "new" : "replay", order };
}

/** How often each answer was given, and under how many ids. */
export function countsOf({ attempts }: OrderHistory): Readonly<Record<string, number>> {
  const count = (outcome: Attempt["outcome"]): number =>
    attempts.filter((attempt) => attempt.outcome === outcome).length;
  const ids = new Set(attempts.flatMap(({ order }) => (order === null ? [] : [order["id"]])));
  return { new: count("new"), replay: count("replay"), refused: count("refused"), ids: ids.size };
}
