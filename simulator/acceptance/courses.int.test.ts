/** Courses of orders of every type: followed, or left to the next order that can follow them, and never counted otherwise. */
import { describe, expect, test } from "vitest";
import { type JsonObject, listIn, text } from "../testing/client.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, marketBuy, marketSell, stopBuy, uuidFrom, type Venue } from "../testing/venue.ts";
import { forcedOutcomes } from "../world/outcomes.ts";

const withWorld = useWorlds();

const courses = forcedOutcomes.filter(({ fault }) => fault.kind === "course");
const prefixOf = (code: string): string => courses.find((one) => one.code === code)?.prefix ?? "";

/** Enough on both sides, at one price each. */
const lay = (venue: Venue): Promise<void> =>
  venue.book("BTC-USD", [
    ["BUY", "49000", "5"],
    ["SELL", "50000", "5"],
  ]);

const orders: Readonly<Record<string, (more: JsonObject) => JsonObject>> = {
  "MARKET BUY": (more) => marketBuy({ quote_value: "500", ...more }),
  "MARKET SELL": (more) => marketSell({ base_quantity: "0.01", ...more }),
  STOP_LIMIT: (more) => stopBuy({ stop_price: "61000", price: "62000", ...more }),
};

/** The status after three seconds of market time, and whether some of it was filled. Null: not followed. */
const followed: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  NEVER_FILLED: { MARKET: "OPEN", STOP_LIMIT: "OPEN" },
  FILLED_AT_ONCE: { MARKET: "FILLED, filled", STOP_LIMIT: null },
  HALF_FILLED: { MARKET: "FILLED, filled", STOP_LIMIT: null },
  TEN_FILLS: { MARKET: "OPEN, filled", STOP_LIMIT: null },
  TWO_PRICES: { MARKET: null, STOP_LIMIT: null },
  PENDING_THEN_OPEN: { MARKET: "FILLED, filled", STOP_LIMIT: "OPEN" },
  PENDING_THEN_FAILED: { MARKET: "FAILED", STOP_LIMIT: "FAILED" },
  OPEN_THEN_EXPIRED: { MARKET: "EXPIRED", STOP_LIMIT: "EXPIRED" },
  PARTIAL_THEN_CANCELLED: { MARKET: "CANCELLED, filled", STOP_LIMIT: null },
  PARTIAL_THEN_STALLED: { MARKET: "OPEN, filled", STOP_LIMIT: null },
  FILLED_BEFORE_ANSWER: { MARKET: "FILLED, filled", STOP_LIMIT: null },
};

const stateOf = (order: JsonObject): string =>
  [text(order, "status"), ...(order["filledQuantity"] === "0" ? [] : ["filled"])].join(", ");

const firedOf = async (venue: Venue, code: string): Promise<unknown> =>
  listIn((await venue.control("/faults", {}, "GET"))["counts"]).find(({ id }) => id === `reserved-${code}`)?.[
    "fired"
  ] ?? 0;

test("every course says what orders of other types do with it", () => {
  expect(Object.keys(followed)).toEqual(courses.map(({ code }) => code));
});

describe.each(Object.keys(orders))("a %s order", (name) => {
  test.each(courses.map(({ code }) => code))("that asks for %s by its id", async (code) => {
    await withWorld({}, async (venue) => {
      await lay(venue);
      const order = orders[name]?.({ client_order_id: uuidFrom(prefixOf(code)) }) ?? {};
      const reply = await venue.trader.place(order);
      expect(reply.data["type"]).toBe("NEW_ORDER");
      await venue.advance(3000);
      const wanted = followed[code]?.[name.replace(/ .*/, "")] ?? null;
      const query = `clientOrderId=${String(order["client_order_id"])}`;
      const [row = {}] = listIn((await venue.trader.get("/order", { query })).data["items"]);
      const ignored = reply.headers["x-gatewright-ignored"];
      const facts = listIn((await venue.control(`/explain/${text(row, "id")}`, {}, "GET"))["facts"]);
      const [fault] = facts.filter((fact) => fact["code"] === "FAULT").map((fact) => text(fact, "sentence"));
      if (wanted === null) {
        expect(stateOf(row)).toBe(name === "STOP_LIMIT" ? "OPEN" : "FILLED, filled");
        expect(ignored).toBe(`outcome.${code}`);
        expect(fault).toContain(`asked for a course that a ${name.replace(/ .*/, "")} order cannot follow`);
        expect(await firedOf(venue, code)).toBe(0);
      } else {
        expect(stateOf(row)).toBe(wanted);
        expect(ignored).toBeUndefined();
        expect(fault).toContain("follows a course");
        expect(await firedOf(venue, code)).toBe(1);
      }
    });
  });
});

describe("a course for the next order of a key", () => {
  test("waits for one that can follow it", async () => {
    await withWorld({}, async (venue) => {
      await lay(venue);
      await venue.control("/outcomes/next", { code: "TWO_PRICES", key: "trader" });
      const market = await venue.trader.place(marketBuy({ quote_value: "500" }));
      expect(market.headers["x-gatewright-ignored"]).toBeUndefined();
      const { counts } = await venue.control("/faults", {}, "GET");
      expect(listIn(counts)).toMatchObject([{ matched: 0, fired: 0 }]);
      const limit = await venue.placed(limitBuy({ price: "40000" }));
      await venue.advance(2000);
      expect(stateOf(await venue.order(text(limit, "id")))).toBe("FILLED, filled");
    });
  });

  test("fills half of a MARKET BUY at the price of the book, as a taker, and lets the exchange cancel the rest", async () => {
    await withWorld({}, async (venue) => {
      await lay(venue);
      const before = Number((await venue.wallet("USD"))["balance"]);
      await venue.control("/outcomes/next", { code: "PARTIAL_THEN_CANCELLED", key: "trader" });
      const { id } = await venue.placed(marketBuy({ quote_value: "1000" }));
      await venue.advance(1500);
      const order = await venue.order(String(id));
      expect(order).toMatchObject({ status: "CANCELLED", averageFilledPrice: "50000" });
      const spent = before - Number((await venue.wallet("USD"))["balance"]);
      // Half of the budget, fees included, and less than one more increment.
      expect(spent).toBeLessThanOrEqual(500);
      expect(spent).toBeGreaterThan(499.9);
      expect(await venue.hold("USD")).toBe("0");
    });
  });
});

describe("a stuck cancel", () => {
  const outcome = (code: string): string => forcedOutcomes.find((one) => one.code === code)?.prefix ?? "";

  test("is answered 200 and never takes effect; the order can still be filled", async () => {
    await withWorld({}, async (venue) => {
      const order = limitBuy({ price: "40000", client_order_id: uuidFrom(outcome("STUCK_CANCEL")) });
      const id = text(await venue.placed(order), "id");
      await venue.settle();
      for (let again = 0; again < 2; again++) {
        const reply = await venue.trader.delete(`/order/${id}`);
        expect([reply.status, reply.data["status"], reply.data["synced"]]).toEqual([200, "OPEN", false]);
      }
      await venue.advance(3_600_000);
      expect(await venue.order(id)).toMatchObject({ status: "OPEN", synced: false });
      await venue.print("BTC-USD", "39000", "1");
      await venue.settle();
      expect(await venue.order(id)).toMatchObject({ status: "FILLED", synced: true });
    });
  });

  test("is refused a second later: the order is open and synced again", async () => {
    await withWorld({}, async (venue) => {
      const order = limitBuy({ price: "40000", client_order_id: uuidFrom(outcome("CANCEL_REFUSED_LATE")) });
      const id = text(await venue.placed(order), "id");
      await venue.settle();
      expect((await venue.trader.delete(`/order/${id}`)).data["status"]).toBe("OPEN");
      await venue.advance(999);
      expect(await venue.order(id)).toMatchObject({ status: "OPEN", synced: false });
      await venue.advance(1);
      expect(await venue.order(id)).toMatchObject({ status: "OPEN", synced: true });
    });
  });
});
