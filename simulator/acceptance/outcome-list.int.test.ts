/** The list of outcomes, walked: each example is sent as a client would send it, and meets what the list says. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { exchangeReasons } from "../domain/rejection.ts";
import { asObject, Client, type Json, type JsonObject, listIn, type Reply } from "../testing/client.ts";
import { documentedErrorCodes } from "../testing/records.ts";
import { connectStream } from "../testing/stream-client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, type Venue } from "../testing/venue.ts";
import { forcedOutcomes } from "../world/outcomes.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);

const rowsOf = async (own: Venue): Promise<readonly JsonObject[]> =>
  listIn((await own.control("/outcomes", {}, "GET"))["outcomes"]);

const textOrNull = (value: Json | undefined): string | null => (typeof value === "string" ? value : null);

/** The client's answer, in the words of the list. Null: the connection ended without a whole answer. */
function answerOf(reply: Reply | null): JsonObject {
  if (reply === null) return { status: null, type: null, code: null, reason: null };
  const code = reply.text === "" ? null : textOrNull(reply.body["code"]);
  const details = code === null ? undefined : listIn(reply.body["details"])[0];
  return {
    status: reply.status,
    // The type of an order that is shown is another one.
    type: textOrNull("side" in reply.data ? null : reply.data["type"]),
    code,
    reason: textOrNull(details?.["reason"]),
  };
}

/** Status of the order now; null when there is none. */
async function statusOf(client: Client, order: JsonObject): Promise<string | null> {
  const query = `clientOrderId=${String(order["client_order_id"])}`;
  const [row] = listIn((await client.get("/order", { query })).data["items"]);
  return textOrNull(row?.["status"]);
}

/** This one takes so long that nobody waits: its order is there, and its answer is not. */
const veryLate = "VERY_LATE_ANSWER";

/** The answers to clients that send these orders, all at once. */
async function meetAll(
  own: Venue,
  orders: Readonly<Record<string, JsonObject>>,
): Promise<Record<string, JsonObject>> {
  const client = own.trader;
  const sent = Object.entries(orders).map(async ([code, order]): Promise<[string, Reply | null]> => {
    const answer = client.place(order).catch((): null => null);
    if (code !== veryLate) return [code, await answer];
    await expect.poll(() => statusOf(client, order)).toBe("OPEN");
    expect(await Promise.race([answer, Promise.resolve("no answer yet")])).toBe("no answer yet");
    return [code, null];
  });
  const replies = await Promise.all(sent);
  await own.advance(2000);
  const met: Record<string, JsonObject> = {};
  for (const [code, reply] of replies)
    met[code] = { ...answerOf(reply), later: await statusOf(client, orders[code] ?? {}) };
  return met;
}

const givenUp = { status: null, type: null };
const expected = Object.fromEntries(
  forcedOutcomes.map(({ code, answer }) => [code, code === veryLate ? { ...answer, ...givenUp } : answer]),
);

describe("every forced outcome", () => {
  test("is what its example meets", async () => {
    await withWorld({}, async (own) => {
      const forced = (await rowsOf(own)).filter((row) => row["forced"] === true);
      expect(forced.map(({ code, answer }) => [code, answer])).toEqual(
        forcedOutcomes.map(({ code, answer }) => [code, answer]),
      );
      const orders = forced.map(({ code, example }) => [code, asObject(asObject(example)["body"])]);
      expect(await meetAll(own, Object.fromEntries(orders))).toEqual(expected);
      const filled = async (code: string): Promise<unknown> => {
        const row = forcedOutcomes.find((one) => one.code === code);
        const query = `clientOrderId=${String(row?.prefix)}-0000-4000-8000-000000000001`;
        const [order] = listIn((await own.trader.get("/order", { query })).data["items"]);
        return [order?.["status"], order?.["filledQuantity"], order?.["averageFilledPrice"]];
      };
      expect(await filled("NEVER_FILLED")).toEqual(["OPEN", "0", null]);
      expect(await filled("HALF_FILLED")).toEqual(["OPEN", "0.0005", "50000"]);
      expect(await filled("TEN_FILLS")).toEqual(["OPEN", "0.0002", "50000"]);
      expect(await filled("TWO_PRICES")).toEqual(["FILLED", "0.001", "49999.995"]);
      expect(await filled("PARTIAL_THEN_CANCELLED")).toEqual(["CANCELLED", "0.0005", "50000"]);
      expect(await filled("PARTIAL_THEN_STALLED")).toEqual(["OPEN", "0.0005", "50000"]);
      await own.advance(8000);
      expect(await filled("TEN_FILLS")).toEqual(["FILLED", "0.001", "50000"]);
    });
  });

  test("is what a fault rule with its code brings about", async () => {
    await withWorld({}, async (own) => {
      const rules = forcedOutcomes.map(({ code }, at) => ({
        id: `rule-${at}`,
        outcome: code,
        clientOrderIdPrefix: `aaaa00${String(at).padStart(2, "0")}-`,
      }));
      await own.control("/faults", { rules }, "PUT");
      const orders = rules.map(({ outcome, clientOrderIdPrefix }) => [
        outcome,
        limitBuy({ client_order_id: `${clientOrderIdPrefix}0000-4000-8000-000000000001` }),
      ]);
      expect(await meetAll(own, Object.fromEntries(orders))).toEqual(expected);
      const given = await own.control("/faults", {}, "GET");
      expect(given["rules"]).toEqual(rules.map((rule) => ({ ...rule, route: "POST /order" })));
      await own.control("/faults", given, "PUT");
    });
  });

  test.each([
    ["no fault and no outcome", {}, "rules[0] needs a fault, or an outcome in its place"],
    ["both", { outcome: "STATUS_503", fault: { kind: "neverSync" } }, "leave one of them out"],
    ["an unknown outcome", { outcome: "STATUS_530" }, 'did you mean \\"STATUS_500\\"'],
    [
      "a route that places nothing",
      { outcome: "STATUS_503", route: "GET /order" },
      'must be \\"POST /order\\"',
    ],
  ])("a rule with %s is refused", async (_name, rule, problem) => {
    const reply = await venue().controlReply("/faults", { rules: [{ id: "x", ...rule }] }, "PUT");
    expect([reply.status, reply.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(reply.text).toContain(problem);
  });
});

/** A world of its own for a row, and what its request meets there. */
async function meetGenuine(own: Venue, { code, example }: JsonObject): Promise<JsonObject> {
  const { world = {}, controls = [], before = [], twice = false, ...request } = asObject(example);
  const name = String(code).toLowerCase().replaceAll("_", "-");
  const made = await own.control("/worlds", {
    name,
    clock: "manual",
    world: { extends: "demo", ...asObject(world) },
  });
  const clientOf = (key: Json | undefined): Client => {
    const found = listIn(made["keys"]).find((one) => one["name"] === (key ?? "trader"));
    const credentials = { keyId: String(found?.["keyId"]), secret: String(found?.["secret"]) };
    return new Client(own.baseUrl, credentials);
  };
  for (const { method, path, body = {} } of listIn(controls))
    await own.control(`/worlds/${name}${String(path)}`, body, String(method));
  let order = "";
  const send = async (
    { method, path, key, body, text, headers }: JsonObject,
    times: number,
  ): Promise<Reply> => {
    const [route = "", query] = String(path).replace("{order}", order).split("?");
    const client = clientOf(key);
    const changed = Object.entries(asObject(headers ?? {})).map(([header, value]) => [
      header,
      value ?? undefined,
    ]);
    const prepared = client.prepare(String(method), route, {
      body: body ?? text,
      ...(query === undefined ? {} : { query }),
      headers: Object.fromEntries(changed) as Record<string, string>,
    });
    for (let sent = 1; sent < times; sent += 1) await client.send(prepared);
    return client.send(prepared);
  };
  for (const earlier of listIn(before)) {
    const reply = await send(earlier, 1);
    expect(reply.status).toBe(200);
    if (reply.data["type"] === "NEW_ORDER") order = String(asObject(reply.data["order"])["id"]);
  }
  const reply = await send(request, twice === true ? 2 : 1);
  await own.control(`/worlds/${name}/clock`, { advanceMs: 2000 });
  const placed = [request, ...listIn(before)].find(
    ({ path, body }) => path === "/order" && body !== undefined,
  );
  const rows = listIn((await clientOf("trader").get("/order", { query: "limit=1000" })).data["items"]);
  const id = placed === undefined ? "" : asObject(placed["body"])["client_order_id"];
  const row = rows.find(({ clientOrderId }) => clientOrderId === id);
  await own.control(`/worlds/${name}`, {}, "DELETE");
  return { ...answerOf(reply), later: textOrNull(row?.["status"]) };
}

test("every genuine outcome is what its request meets in a world of its own", async () => {
  const genuine = (await rowsOf(venue())).filter((row) => row["forced"] === false);
  expect(genuine.length).toBeGreaterThan(45);
  const met: unknown[] = [];
  for (const row of genuine) met.push([row["code"], await meetGenuine(venue(), row)]);
  expect(met).toEqual(genuine.map(({ code, answer }) => [code, answer]));
});

describe("the list", () => {
  test("has every result type, every status, every documented reason, and every reason of the exchange", async () => {
    const answers = (await rowsOf(venue())).map(({ answer }) => asObject(answer));
    const all = (member: string): Set<Json> => new Set(answers.map((answer) => answer[member] ?? null));
    const sorted = (member: string): unknown[] =>
      [...all(member)].flatMap((value) => textOrNull(value) ?? []).toSorted();
    expect(sorted("type")).toEqual([
      "CLIENT_NOT_FOUND",
      "DUPLICATE_REPLAY",
      "EXTERNAL_EXECUTION_FAILED",
      "INTERNAL_EXECUTION_FAILED",
      "NEW_ORDER",
    ]);
    expect(sorted("later")).toEqual(["CANCELLED", "EXPIRED", "FAILED", "FILLED", "OPEN", "PENDING"]);
    const met = new Set(answers.map(({ status, code }) => `${String(status)} ${String(code)}`));
    const wanted = ["400", "401", "403", "404", "409", "413", "415", "429", "503"].flatMap((status) =>
      (documentedErrorCodes[status] ?? []).map((code) => `${status} ${code}`),
    );
    expect(wanted.length).toBeGreaterThan(30);
    expect(wanted.filter((one) => !met.has(one))).toEqual([]);
    expect(exchangeReasons.filter((reason) => !all("reason").has(reason))).toEqual([]);
  });

  test("names each outcome once, and clauses and freedoms that there are", async () => {
    const rows = await rowsOf(venue());
    const codes = rows.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    const clauses = readFileSync("fixtures/spec/clauses.json", "utf8");
    const freedoms = readFileSync("fixtures/spec/freedoms.yaml", "utf8");
    const isKnown = (about: string): boolean =>
      clauses.includes(`"id": "${about}"`) || freedoms.includes(`- id: ${about}\n`);
    expect(rows.filter(({ about }) => !isKnown(String(about)))).toEqual([]);
  });
});

describe("the next outcomes of a key", () => {
  const codes = forcedOutcomes.map(({ code }) => code).filter((code) => code !== veryLate);
  test.each(sampled(6, codes))("are %s as often as asked for, for that key", async (code) => {
    await withWorld({}, async (own) => {
      await own.control("/outcomes/next", { code, key: "trader" });
      expect(await own.as("counterparty").place(limitBuy())).toMatchObject({ status: 200 });
      expect(await meetAll(own, { [code]: limitBuy() })).toEqual({ [code]: expected[code] });
      const usual = { status: 200, type: "NEW_ORDER", code: null, reason: null, later: "OPEN" };
      expect(await meetAll(own, { after: limitBuy() })).toEqual({ after: usual });
    });
  });

  test("are met one by one, also where one is of the exchange and the next of the wire", async () => {
    await withWorld({}, async (own) => {
      for (const code of ["STUCK_PENDING", "STATUS_503", "FILLED_BEFORE_ANSWER"])
        await own.control("/outcomes/next", { code, key: "trader" });
      const statusOfNext = async (): Promise<unknown> => {
        const order = limitBuy();
        const { status } = await own.trader.place(order);
        return [status, await statusOf(own.trader, order)];
      };
      expect(await statusOfNext()).toEqual([200, "PENDING"]);
      expect(await statusOfNext()).toEqual([503, null]);
      expect(await statusOfNext()).toEqual([200, "FILLED"]);
      expect(await statusOfNext()).toEqual([200, "OPEN"]);
    });
  });

  test("cannot be what needs no force", async () => {
    const reply = await venue().controlReply("/outcomes/next", { code: "MISSING_CLAIM", key: "trader" });
    expect([reply.status, reply.code]).toEqual([409, "CONFLICT"]);
    expect(reply.text).toContain("send the request that GET /outcomes has for it");
  });

  test("come in the order in which they were asked for", async () => {
    await withWorld({}, async (own) => {
      await own.control("/outcomes/next", { code: "STATUS_503", key: "trader", count: 2 });
      await own.control("/outcomes/next", { code: "STATUS_429", key: "trader" });
      const statuses = [];
      for (let order = 0; order < 4; order += 1) statuses.push((await own.trader.place(limitBuy())).status);
      expect(statuses).toEqual([503, 503, 429, 200]);
    });
  });
});

test("an answer that is late comes after the event", async () => {
  await withWorld({}, async (own) => {
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
