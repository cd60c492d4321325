/** The list of outcomes, walked: each example is sent as a client would send it, and meets what the list says. */
import { describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn, type Reply } from "../testing/client.ts";
import { connectStream } from "../testing/stream-client.ts";
import { limitBuy, type Venue, withVenue } from "../testing/venue.ts";
import { forcedOutcomes } from "../world/outcomes.ts";

interface Met {
  /** HTTP status, or null for a connection that is closed. */
  readonly status: number | null;
  readonly type?: string;
  readonly code?: string;
  /** Status of the order two market seconds later; null when there is none. */
  readonly later: string | null;
}

const expected: Readonly<Record<string, Met>> = {
  EXTERNAL_FAILURE: { status: 200, type: "EXTERNAL_EXECUTION_FAILED", later: "FAILED" },
  UNKNOWN_THEN_OPEN: { status: 200, type: "EXTERNAL_EXECUTION_FAILED", later: "OPEN" },
  INTERNAL_FAILURE: { status: 200, type: "INTERNAL_EXECUTION_FAILED", later: "FAILED" },
  STUCK_PENDING: { status: 200, type: "NEW_ORDER", later: "PENDING" },
  LOST_ANSWER: { status: null, later: "OPEN" },
  UNKNOWN_THEN_FAILED: { status: 200, type: "EXTERNAL_EXECUTION_FAILED", later: "FAILED" },
  CLIENT_NOT_FOUND: { status: 200, type: "CLIENT_NOT_FOUND", later: null },
  EXCHANGE_REJECTS: { status: 400, code: "EXCHANGE_REJECTED", later: null },
  NEVER_SYNCED: { status: 200, type: "NEW_ORDER", later: "OPEN" },
  LOST_REQUEST: { status: null, later: null },
  LATE_ANSWER: { status: 200, type: "NEW_ORDER", later: "OPEN" },
  STATUS_429: { status: 429, code: "RATE_LIMITED", later: null },
  STATUS_500: { status: 500, code: "INTERNAL_ERROR", later: null },
  STATUS_503: { status: 503, code: "MAINTENANCE", later: null },
};

/** What a client meets that sends this order. */
async function meet(own: Venue, order: JsonObject): Promise<Met> {
  const reply = await own.trader.place(order).catch((): Reply | null => null);
  await own.advance(2000);
  const query = `clientOrderId=${String(order["client_order_id"])}`;
  const [row] = listIn((await own.trader.get("/order", { query })).data["items"]);
  const later = row === undefined ? null : String(row["status"]);
  if (reply === null) return { status: null, later };
  if (reply.status !== 200) return { status: reply.status, code: reply.code, later };
  return { status: 200, type: String(reply.data["type"]), later };
}

test("every outcome of the list is what its example meets", async () => {
  expect(forcedOutcomes.map(({ code }) => code).toSorted()).toEqual(Object.keys(expected).toSorted());
  await withVenue({}, async (own) => {
    const { outcomes } = await own.control("/outcomes", {}, "GET");
    const met: Record<string, Met> = {};
    for (const { code, example } of listIn(outcomes))
      met[String(code)] = await meet(own, asObject(asObject(example)["body"]));
    expect(met).toEqual(expected);
  });
});

describe("the next outcomes of a key", () => {
  test.each(forcedOutcomes.map(({ code }) => code))(
    "are %s as often as asked for, for that key",
    async (code) => {
      await withVenue({}, async (own) => {
        await own.control("/outcomes/next", { code, key: "trader" });
        expect(await own.as("counterparty").place(limitBuy())).toMatchObject({ status: 200 });
        expect(await meet(own, limitBuy())).toEqual(expected[code]);
        expect(await meet(own, limitBuy())).toEqual({ status: 200, type: "NEW_ORDER", later: "OPEN" });
      });
    },
  );

  test("come in the order in which they were asked for", async () => {
    await withVenue({}, async (own) => {
      await own.control("/outcomes/next", { code: "STATUS_503", key: "trader", count: 2 });
      await own.control("/outcomes/next", { code: "STATUS_429", key: "trader" });
      const statuses = [];
      for (let order = 0; order < 4; order += 1) statuses.push((await own.trader.place(limitBuy())).status);
      expect(statuses).toEqual([503, 503, 429, 200]);
    });
  });
});

test("an answer that is late comes after the event", async () => {
  await withVenue({}, async (own) => {
    const stream = await connectStream(own.trader);
    stream.subscribe("orders");
    await stream.nextOf("subscriptions");
    await own.control("/outcomes/next", { code: "LATE_ANSWER", key: "trader" });
    let isAnswered = false;
    const answer = own.trader.place(limitBuy()).then((reply) => {
      isAnswered = true;
      return reply;
    });
    await stream.next((message) => message["channel"] === "orders" && message["type"] !== "snapshot");
    expect(isAnswered).toBe(false);
    expect((await answer).status).toBe(200);
    await stream.close();
  });
});
