/** The market clock over HTTP: long moves, and times that no calendar has. */
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Schema } from "../schema/fields.ts";
import { MarketClock } from "../sequencer/clock.ts";
import { Venue as Core } from "../sequencer/venue.ts";
import { openJournal } from "../store/open-journal.ts";
import { useScratch } from "../store/testing/scratch.ts";
import { asObject, type JsonObject, type Reply } from "../testing/client.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, startVenue, uuid, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";
import { engineVersion } from "../version.ts";
import { isoTime } from "../wire/envelope.ts";
import { loadWorldValue } from "../world/load-world.ts";
import { FaultSchema } from "../world/schema/faults.ts";
import { SettingsSchema } from "../world/schema/settings.ts";

const withWorld = useWorlds();

const scratch = useScratch();
const day = 86_400_000;

/** The demo world: its market moves every few seconds. */
const lively = (): Promise<Venue> => startVenue({ world: { extends: "demo" } });

const clockOf = (venue: Venue): Promise<JsonObject> => venue.control("/clock", {}, "GET");
const millis = (clock: JsonObject): number => Date.parse(String(clock["now"]));

describe("a long move of the clock", () => {
  test("serves other requests in between, and answers when all effects have happened", async () => {
    const venue = await lively();
    const begin = millis(await clockOf(venue));
    let isAnswered = false;
    const moved = venue.control("/clock", { advanceMs: day / 6 }).then((clock) => {
      isAnswered = true;
      return clock;
    });
    const seen: number[] = [];
    while (!isAnswered) {
      const placed = await venue.trader.place(limitBuy({ price: "1000" }));
      if (isAnswered) break;
      expect(placed.status).toBe(200);
      seen.push(millis(await clockOf(venue)));
    }
    expect(seen.length).toBeGreaterThan(3);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(seen[0]).toBeLessThan(begin + day / 6);
    const clock = await moved;
    expect(millis(clock)).toBe(begin + day / 6);
    expect(Number(clock["entries"])).toBeGreaterThan(3_000);
    await venue.close();
  });

  test("waits for the one before: two together go the sum of both ways", async () => {
    await withWorld({ world: { extends: "demo" } }, async (venue) => {
      const begin = millis(await clockOf(venue));
      const [one, two] = await Promise.all([
        venue.control("/clock", { advanceMs: day / 48 }),
        venue.control("/clock", { advanceMs: day / 48 }),
      ]);
      expect(new Set([millis(one), millis(two)])).toEqual(new Set([begin + day / 48, begin + day / 24]));
    });
  });

  test("ends when its caller leaves, and so does one that waits behind it", async () => {
    await withVenue({ world: { extends: "demo" } }, async (venue) => {
      const { control } = venue.simulator;
      const begin = millis(await clockOf(venue));
      const leaving = new AbortController();
      const move = (): Promise<unknown> =>
        fetch(`${control?.url ?? ""}/clock`, {
          method: "POST",
          headers: { authorization: `Bearer ${control?.token ?? ""}`, "content-type": "application/json" },
          body: JSON.stringify({ advanceMs: 366 * day }),
          signal: leaving.signal,
        }).catch(() => "left");
      const left = [move(), move()];
      await expect.poll(async () => millis(await clockOf(venue))).toBeGreaterThan(begin);
      leaving.abort();
      expect(await Promise.all(left)).toEqual(["left", "left"]);
      // It waits for its turn: nothing is before it any more.
      const reached = millis(await venue.control("/clock", { advanceMs: 1 }));
      expect(reached).toBeLessThan(begin + 366 * day);
      expect(millis(await clockOf(venue))).toBe(reached);
    });
  });

  test.each(["manual", "real", "skip-idle"])(
    "ends when the mode is set to %s, and says how far it came",
    async (mode) => {
      await withWorld({ world: { extends: "demo" } }, async (venue) => {
        const begin = millis(await clockOf(venue));
        const until = { product: "BTC-USD", price: "1" };
        const moves = [
          venue.controlReply("/clock", { advanceMs: 366 * day }),
          venue.controlReply("/clock", { until, withinMs: 300 * day }),
        ];
        await expect.poll(async () => millis(await clockOf(venue))).toBeGreaterThan(begin);
        expect(await venue.control("/clock", { mode })).toMatchObject({ mode });
        for (const reply of await Promise.all(moves)) {
          expect([reply.status, reply.code]).toEqual([409, "CONFLICT"]);
          expect(reply.text).toMatch(/ended on its way.*the market clock has reached 2026-/);
        }
        expect(millis(await clockOf(venue))).toBeLessThan(begin + 366 * day);
      });
    },
  );

  test("does not keep a venue from stopping: it says how far it came, and a restart goes on from there", async () => {
    const db = path.join(scratch(), "venue.db");
    const world = { extends: "demo" };
    const venue = await startVenue({ db, world });
    const begin = millis(await clockOf(venue));
    const moving = venue.controlReply("/clock", { advanceMs: 366 * day });
    while (millis(await clockOf(venue)) === begin);
    await venue.close();
    const reply = await moving;
    expect([reply.status, reply.code]).toEqual([503, "NOT_READY"]);
    expect(reply.body["message"]).toMatch(/moved a part of the way/);
    await withVenue({ db, world }, async (again) => {
      const now = millis(await clockOf(again));
      expect(now).toBeGreaterThan(begin);
      expect(now).toBeLessThan(begin + 366 * day);
    });
  });
});

describe("a move of the clock until something is so", () => {
  /** A venue whose orders are matched after an hour of market time. */
  const slow = { world: quietWorld({ matchDelayMs: 3_600_000 }) };
  const placedId = async (venue: Venue): Promise<string> => {
    await venue.book("BTC-USD", [["SELL", "30000", "1"]]);
    const placed = await venue.trader.place(limitBuy({ price: "30000" }));
    return String(asObject(placed.data["order"])["id"]);
  };

  test("stops where an order has the status, and lists what happened to it", async () => {
    await withWorld(slow, async (venue) => {
      const order = await placedId(venue);
      const begin = millis(await clockOf(venue));
      const until = { order, status: "FILLED" };
      const moved = await venue.control("/clock", { until, withinMs: day });
      expect(millis(moved) - begin).toBe(3_600_000);
      expect(moved["effects"]).toEqual([
        expect.objectContaining({ kind: "OrdersSynced", order }),
        expect.objectContaining({ kind: "Traded", order, price: "30000" }),
        expect.objectContaining({ kind: "OrderClosed", order, status: "FILLED" }),
      ]);
      expect(moved["effectsTotal"]).toBe(3);
      expect(await venue.control("/clock", { until })).toMatchObject({ entries: 0, now: moved["now"] });
    });
  });

  test("takes the id of the client, and a trade at a price", async () => {
    await withWorld(slow, async (venue) => {
      await placedId(venue);
      const until = { product: "BTC-USD", price: "30000" };
      expect(await venue.control("/clock", { until })).toMatchObject({ effectsTotal: 3 });
      const clientOrderId = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
      await venue.trader.place(limitBuy({ price: "30000", client_order_id: clientOrderId }));
      const met = { order: clientOrderId.toUpperCase(), status: "FILLED" };
      expect(await venue.control("/clock", { until: met })).toMatchObject({ mode: "manual" });
    });
  });

  test("says what is the case when the time is over, and what is wrong with the question", async () => {
    await withWorld(slow, async (venue) => {
      const order = await placedId(venue);
      const asked = async (until: JsonObject, withinMs = 5): Promise<unknown> => {
        const { status, body } = await venue.controlReply("/clock", { until, withinMs });
        return [status, String(body["message"])];
      };
      expect(await asked({ order, status: "CANCELLED" })).toEqual([
        409,
        expect.stringMatching(/^The order is OPEN; the market clock has reached /),
      ]);
      expect(await asked({ order, status: "CONFIRMED" })).toEqual([
        400,
        expect.stringMatching(/must be one of OPEN, FILLED/),
      ]);
      expect(await asked({ order })).toEqual([400, expect.stringMatching(/must hold `order` and `status`/)]);
      expect(await asked({ product: "BTC-USD", price: "0.00001" })).toEqual([
        400,
        expect.stringMatching(/multiple of the price increment/),
      ]);
      expect(await asked({ product: "BTC-UDS", price: "1" })).toEqual([
        404,
        expect.stringMatching(/did you mean "BTC-USD"/),
      ]);
      expect(await asked({ order: uuid(), status: "OPEN" })).toEqual([
        404,
        expect.stringMatching(/There is no order/),
      ]);
    });
  });
});

describe("the pace of the clock", () => {
  test("can be changed while the venue runs: a frozen clock stands, and goes on from where it was moved to", async () => {
    await withWorld({ clock: "real" }, async (venue) => {
      await venue.control("/clock", { mode: "manual" });
      const stood = millis(await clockOf(venue));
      expect(millis(await venue.control("/clock", { advanceMs: day }))).toBe(stood + day);
      const ran = await venue.control("/clock", { mode: "real" });
      expect([ran["mode"], millis(ran) >= stood + day, millis(ran) < stood + 2 * day]).toEqual([
        "real",
        true,
        true,
      ]);
      expect((await venue.controlReply("/clock", { advanceMs: 1 })).code).toBe("CLOCK_IS_REAL");
    });
  });

  test("skips idle time, so that a client that polls sees its order filled at once", async () => {
    await withWorld({ world: quietWorld({ matchDelayMs: day }), clock: "skip-idle" }, async (venue) => {
      await venue.book("BTC-USD", [["SELL", "30000", "1"]]);
      const placed = await venue.trader.place(limitBuy({ price: "30000" }));
      const { id } = asObject(placed.data["order"]);
      while ((await venue.order(String(id)))["status"] !== "FILLED");
      expect((await clockOf(venue))["mode"]).toBe("skip-idle");
    });
  });
});

test("the next due command may be a move of the market", async () => {
  await withWorld({ world: { extends: "demo" } }, async (venue) => {
    const { now, nextDue } = await clockOf(venue);
    expect(Date.parse(String(nextDue))).toBeGreaterThan(Date.parse(String(now)));
    const ahead = Date.parse(String(nextDue)) - Date.parse(String(now));
    await venue.advance(ahead);
    expect(Date.parse(String((await clockOf(venue))["nextDue"]))).toBeGreaterThan(
      Date.parse(String(nextDue)),
    );
  });
});

describe("a number that becomes a time or a duration", () => {
  const integersOf = ({ properties = {} }: Schema): (readonly [string, number | undefined])[] =>
    Object.entries(properties).flatMap(([name, { type, enum: choices, maximum }]) =>
      [type].flat().includes("integer") && choices === undefined ? [[name, maximum] as const] : [],
    );
  const cases = (FaultSchema.oneOf ?? []).flatMap((branch) =>
    integersOf(branch).map(([name, max]) => [String(branch.properties?.["kind"]?.const), name, max] as const),
  );

  const setFault = (venue: Venue, kind: string, name: string, value: number): Promise<Reply> => {
    const outcome = kind === "externalFailure" ? { outcome: "unknown" } : {};
    return venue.controlReply("/faults", {
      rules: [{ id: "one", fault: { kind, ...outcome, [name]: value } }],
    });
  };

  test.each(cases)("%s.%s has an end, and at its end the clock is still told", async (kind, name, max) => {
    await withWorld({}, async (venue) => {
      if (max === undefined) throw new Error(`${kind}.${name} has no end`);
      for (const beyond of [max + 1, Number.MAX_SAFE_INTEGER])
        expect((await setFault(venue, kind, name, beyond)).status).toBe(400);
      expect((await setFault(venue, kind, name, max)).status).toBe(200);
      if (kind !== "externalFailure") return;
      expect((await venue.trader.place(limitBuy())).status).toBe(200);
      expect(Date.parse(String((await clockOf(venue))["nextDue"]))).not.toBeNaN();
      expect((await venue.controlReply("/clock", { advanceMs: 1 })).status).toBe(200);
    });
  });

  test.each(integersOf(SettingsSchema))("the setting %s at %d", async (name, largest = Number.NaN) => {
    await withWorld({}, async (venue) => {
      const change = (value: number): Promise<Reply> =>
        venue.controlReply("/settings", { acceptance: "async", [name]: value });
      expect((await change(largest + 1)).status).toBe(400);
      expect((await change(largest)).status).toBe(200);
      // An answer is held back by real time, a minute of it here.
      if (name !== "answerDelayMs") expect((await venue.trader.place(limitBuy())).status).toBe(200);
      expect((await venue.controlReply("/clock", {}, "GET")).status).toBe(200);
    });
  });

  test("the clock itself: 366 days, and no year of five digits", async () => {
    await withWorld(
      { world: quietWorld({}, { clock: { mode: "manual", start: "9999-06-01T00:00:00Z" } }) },
      async (venue) => {
        const refused = async (body: JsonObject): Promise<number> =>
          (await venue.controlReply("/clock", body)).status;
        expect(await refused({ advanceMs: 366 * day + 1 })).toBe(400);
        expect(await refused({ advanceMs: Number.MAX_SAFE_INTEGER })).toBe(400);
        expect(await refused({ advanceMs: 300 * day })).toBe(400);
        expect(await refused({ advanceMs: 100 * day })).toBe(200);
      },
    );
  });
});

test("a file that holds a time which no calendar has tells its clock", async () => {
  const db = path.join(scratch(), "venue.db");
  const loaded = await loadWorldValue(quietWorld(), { clock: "manual" });
  if (!loaded.ok) throw new Error("the world cannot be read");
  const { world, opening } = loaded.value;
  const core = new Core({
    world,
    clock: new MarketClock("manual", world.startAt),
    engineVersion: engineVersion,
    opening,
    openJournal: () => openJournal({ file: db, world, now: world.startAt, engineVersion: engineVersion }),
    makeSchedule: () => ({ nextAt: () => null, commandsAt: () => [] }),
    maintain: () => false,
    onStopped: ({ message }) => expect.fail(message),
    onNotice: () => undefined,
  });
  await core.submit({
    kind: "PlaceOrder",
    client: 0,
    clientOrderId: "3f2504e0-4f89-41d3-9a0c-000000000001",
    product: "BTC-USD",
    side: "BUY",
    type: "LIMIT",
    baseQuantity: "0.01",
    price: "30000",
    stopPrice: null,
    quoteValue: null,
    fault: {
      kind: "externalFailure",
      outcome: "unknown",
      resolvesTo: "OPEN",
      afterMs: Number.MAX_SAFE_INTEGER,
    },
  });
  core.close();
  await withVenue({ db }, async (venue) => {
    expect(await clockOf(venue)).toMatchObject({ nextDue: "+275760-09-13T00:00:00.000Z" });
    await venue.advance(1000);
    expect((await venue.trader.place(limitBuy())).status).toBe(200);
  });
});

test("a time is written for any number", () => {
  for (const at of [0, -1, 8.64e15, 8.64e15 + 1, -9e15, Number.MAX_VALUE, Infinity, -Infinity, Number.NaN])
    expect(Date.parse(isoTime(at))).not.toBeNaN();
});
