/** Worlds in PostgreSQL, served by several nodes. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import { PostgresServer, postgresPrograms, withoutPostgres } from "../store/testing/postgres-server.ts";
import { Client, type JsonObject, text } from "../testing/client.ts";
import { limitBuy, startVenue, type Venue } from "../testing/venue.ts";

const isMissing = postgresPrograms === null;
let server: PostgresServer;
let schemas = 0;

beforeAll(async () => {
  if (!isMissing) server = await PostgresServer.start();
});
afterAll(() => server?.remove());

const nextStore = () => ({ url: server.url, schema: `shared_${++schemas}`, leaseMs: 600 });

const started: Venue[] = [];
// A node that a failed test leaves behind would try its store again and again, beside all other tests.
afterEach(async () => void (await Promise.allSettled(started.splice(0).map((venue) => venue.close()))));

/** A node of a store; `retryMs` is how soon it tries again after a failure. */
async function node(
  name: string,
  store: ReturnType<typeof nextStore> & { sleepAfterMs?: number },
): Promise<Venue> {
  const venue = await startVenue({
    store: { ...store, node: name },
    controlToken: "a-token-of-all-nodes",
    ...({ retryMs: 50 } as object),
  });
  started.push(venue);
  return venue;
}

/** The same client, at another node. */
const through = (venue: Venue, { credentials }: Client): Client => new Client(venue.baseUrl, credentials);

/** A client of a world that was made beside `main`. */
function traderOf(venue: Venue, world: JsonObject): Client {
  // as: keys are records.
  const keys = world["keys"] as unknown as { name: string; keyId: string; secret: string }[];
  const [key] = keys.filter(({ name }) => name === "trader");
  if (key === undefined) throw new Error("the world has no trader");
  return new Client(venue.baseUrl, key);
}

const idOf = ({ data }: { readonly data: JsonObject }): string => text(asOrder(data["order"]), "id");

/** Sends one order until it is taken: on a busy machine an owner may lose its lease of a moment in between. */
async function idOfPlaced(client: Client): Promise<string> {
  const order = limitBuy();
  let reply = await client.place(order);
  await expect
    .poll(async () => {
      if (reply.status !== 200) reply = await client.place(order);
      return reply.status;
    })
    .toBe(200);
  return idOf(reply);
}

const streamOf = (client: Client, baseUrl: string): WebSocket =>
  new WebSocket(`${baseUrl.replace("http", "ws")}/ws`, {
    headers: { ...client.prepare("GET", "/ws").headers },
  });

/** What `ctl node list` shows: the worlds of each node. */
async function placesAt(venue: Venue): Promise<Record<string, unknown>> {
  const nodes = (await venue.controlReply("/nodes", {}, "GET")).list;
  return Object.fromEntries(nodes.map(({ name, worlds }) => [name, worlds]));
}

const health = (venue: Venue): Promise<JsonObject> => venue.control("/health", {}, "GET");

/** Asks until the answer is as wanted: a venue that comes back takes a moment. */
const until = (ask: () => Promise<unknown>, wanted: unknown): Promise<void> =>
  expect.poll(ask, { interval: 20 }).toEqual(wanted);

const endSessionsOf = (name: string): Promise<unknown> =>
  server.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
    `gatewright ${name}`,
  ]);

describe.skipIf(isMissing)(`a world in PostgreSQL${isMissing ? `. ${withoutPostgres}` : ""}`, () => {
  test("goes on at the next node as the one before left it: orders, hash, nonces, forks", async () => {
    const store = nextStore();
    const one = await node("one", store);
    const order = await one.placed(limitBuy());
    await one.settle();
    const used = one.as("trader").prepare("GET", "/order/open");
    expect((await one.as("trader").send(used)).status).toBe(200);
    const before = await health(one);
    await one.close();
    const two = await node("two", store);
    const after = await health(two);
    expect([after["seq"], after["hash"]]).toEqual([before["seq"], before["hash"]]);
    expect(await two.order(text(order, "id"))).toMatchObject({ status: "OPEN" });
    const repeated = await two.as("trader").send(used);
    expect([repeated.status, repeated.code]).toEqual([401, "NONCE_REUSED"]);
    await two.control("/worlds", { from: "main", name: "copy" });
    const copied = await two.control("/worlds/copy/orders", {}, "GET");
    expect(JSON.stringify(copied)).toContain(text(order, "id"));
    await two.close();
  });

  test("any node passes requests, controls and streams on to the one that has the world, and takes it over", async () => {
    const store = nextStore();
    const [one, two] = [await node("one", store), await node("two", store)];
    expect(two.notices.join()).toContain(
      "The node one holds the world main. This node passes requests on to it.",
    );
    const client = through(two, one.trader);
    const id = idOf(await client.place(limitBuy()));
    expect((await one.order(id))["id"]).toBe(id);
    const listed = await two.controlReply("/orders", {}, "GET");
    expect(listed.text).toContain(id);
    const stream = streamOf(client, two.baseUrl);
    const heard: string[] = [];
    stream.on("message", (data: Buffer) => heard.push(data.toString()));
    await new Promise((done) => stream.once("open", done));
    stream.send(JSON.stringify({ type: "subscribe", channel: "orders" }));
    await expect.poll(() => heard.join()).toContain(id);
    const ended = new Promise((done) => stream.once("close", done));
    await one.close();
    await ended;
    expect(await two.order(id)).toMatchObject({ status: "OPEN" });
    expect(await placesAt(two)).toEqual({ two: ["main"] });
    await two.close();
  });

  test("a node that has the address of one that was killed does not call itself, and says 503 until the lease ends", async () => {
    const store = nextStore();
    const one = await node("one", store);
    const port = Number(new URL(one.baseUrl).port);
    await one.close();
    // As a node that was killed leaves it.
    const schema = `shared_${schemas}`;
    const left = `INSERT INTO ${schema}.node VALUES ('one', $1, clock_timestamp() + interval '1 h')`;
    await server.ask(left, [`127.0.0.1:${port}`]);
    await server.ask(`UPDATE ${schema}.world SET owner = 'one'`);
    const two = await startVenue({ port, store: { ...store, node: "two" } });
    const refused = await two.trader.get("/order/open");
    expect([refused.status, refused.code, refused.headers["retry-after"]]).toEqual([503, "NOT_READY", "1"]);
    await server.ask(`UPDATE ${schema}.node SET until = clock_timestamp() WHERE name = 'one'`);
    await until(async () => (await two.trader.get("/order/open")).status, 200);
    await two.close();
  });

  test("a request that waits at a node without signs of life has an unknown outcome", async () => {
    const store = nextStore();
    const two = await node("two", store);
    const schema = `shared_${schemas}`;
    // As a paused node: its machine takes connections, and nobody answers.
    let reached = 0;
    const silent = createServer(() => (reached += 1)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    // as: a server that listens on TCP has such an address.
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const paused = `INSERT INTO ${schema}.node VALUES ('paused', $1, clock_timestamp() + interval '1 h')`;
    await server.ask(paused, [address]);
    await server.ask(`UPDATE ${schema}.world SET owner = 'paused', lease_epoch = lease_epoch + 1`);
    await until(() => placesAt(two), { paused: ["main"], two: [] });
    await expect.poll(() => two.notices.join()).toContain("another node has taken it over");
    const waiting = two.as("trader").place(limitBuy());
    await expect.poll(() => reached).toBe(1);
    await server.ask(`UPDATE ${schema}.node SET until = clock_timestamp() WHERE name = 'paused'`);
    expect((await waiting).code).toBe("OUTCOME_UNKNOWN");
    await until(async () => (await two.trader.get("/order/open")).status, 200);
    silent.close();
    await two.close();
  });

  test("a node whose signs of life are not answered shows no state of its worlds, and comes back", async () => {
    const one = await node("one", nextStore());
    const orders = async (): Promise<number> => (await one.controlReply("/orders", {}, "GET")).status;
    expect(await orders()).toBe(200);
    const blocked = server
      .ask(`BEGIN; LOCK shared_${schemas}.node; SELECT pg_sleep(60); COMMIT`)
      .catch(() => "ended");
    await until(orders, 503);
    await server.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    await blocked;
    await until(orders, 200);
    await one.close();
  });

  test("a lost connection: nothing acknowledged is lost, a retry finds out, and orders are taken again", async () => {
    const one = await node("one", nextStore());
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const orders = Array.from({ length: 20 }, () => limitBuy());
      const replies = Promise.all(orders.map((order) => one.as("trader").place(order)));
      await endSessionsOf("one");
      for (const { status, data } of await replies) {
        expect([200, 503]).toContain(status);
        if (status === 200) acknowledged.push(text(asOrder(data["order"]), "id"));
      }
      await until(async () => (await one.as("trader").place(orders[0])).status, 200);
      const again = await Promise.all(orders.map((order) => one.as("trader").place(order)));
      expect(again.map(({ status }) => status)).toEqual(orders.map(() => 200));
      acknowledged.push(...again.map(({ data }) => text(asOrder(data["order"]), "id")));
    }
    expect(new Set(acknowledged).size).toBe(60);
    for (const id of acknowledged) expect(await one.order(id)).toMatchObject({ id });
    await one.close();
  });

  test("a node whose world was taken over tells nobody done, and gives it up", async () => {
    // No sign of life comes before the order.
    const store = { ...nextStore(), leaseMs: 60_000 };
    const [one, two] = [await node("one", store), await node("two", store)];
    const order = await one.placed(limitBuy());
    // As after a pause that was longer than the lease: another node has raised the epoch.
    await server.ask(`UPDATE shared_${schemas}.world SET owner = 'two', lease_epoch = lease_epoch + 1`);
    const refused = await one.trader.place(limitBuy());
    expect([refused.status, refused.code]).toEqual([503, "NOT_READY"]);
    await until(() => placesAt(one), { one: [], two: ["main"] });
    await until(async () => (await one.trader.get("/order/open")).list.map(({ id }) => id), [order["id"]]);
    expect(one.notices.join()).toContain("taken the world main over");
    await Promise.all([one.close(), two.close()]);
  });

  test("a node without a write learns that its world was taken over, too", async () => {
    const store = nextStore();
    const [one, two] = [await node("one", store), await node("two", store)];
    await server.ask(`UPDATE shared_${schemas}.world SET owner = 'two', lease_epoch = lease_epoch + 1`);
    await expect.poll(() => one.notices.join()).toContain("another node has taken it over");
    expect((await one.trader.get("/order/open")).status).toBe(200);
    expect(await placesAt(one)).toEqual({ one: [], two: ["main"] });
    await Promise.all([one.close(), two.close()]);
  });

  test("worlds are made at any node, are reached through all, keep apart, and outlive their node", async () => {
    const store = nextStore();
    const nodes = [await node("one", store), await node("two", store), await node("three", store)] as const;
    const [one, two, three] = nodes;
    const made = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const at = nodes[n % 3] ?? one;
        return { name: `w${n}`, world: await at.control("/worlds", { name: `w${n}`, clock: "manual" }) };
      }),
    );
    const placed = await Promise.all(
      made.map(async ({ world }, n) => {
        const ids: string[] = [];
        for (let count = 0; count <= n % 4; count += 1)
          ids.push(await idOfPlaced(traderOf(nodes[(n + count) % 3] ?? one, world)));
        return ids;
      }),
    );
    const openIn = async (at: Venue) =>
      Promise.all(
        made.map(async ({ world }) => {
          const open = await traderOf(at, world).get("/order/open");
          return open.list.map(({ id }) => String(id)).toSorted();
        }),
      );
    const wanted = placed.map((ids) => ids.toSorted());
    expect(await openIn(three)).toEqual(wanted);
    const places = await placesAt(two);
    expect(Object.values(places).flat().length).toBe(7);
    const { list } = await two.controlReply("/worlds", {}, "GET");
    for (const world of list) {
      const called = text(world, "name");
      expect(places[text(world, "node")]).toContain(called);
      // The market of main goes on meanwhile.
      if (called === "main") continue;
      const { seq = null, hash = null } = world;
      expect(await three.control(`/worlds/${called}`, {}, "GET")).toMatchObject({ seq, hash });
    }
    expect(list.length).toBe(7);
    const taken = await three.controlReply("/worlds", { name: "w0" });
    expect([taken.status, taken.code]).toEqual([409, "CONFLICT"]);
    await one.close();
    await until(() => openIn(two), wanted);
    await two.control("/worlds/w1", {}, "DELETE");
    expect((await three.controlReply("/worlds/w1", {}, "GET")).status).toBe(404);
    await two.control("/worlds/w2/fork", { name: "copy" });
    expect((await three.control("/worlds/copy", {}, "GET"))["seq"]).toBeGreaterThan(0);
    await Promise.all([two.close(), three.close()]);
  });

  test("a world moves under load without a refused request, and nothing of it is lost", async () => {
    const store = { ...nextStore(), leaseMs: 10_000 };
    const [one, two] = [await node("one", store), await node("two", store)];
    const world = await one.control("/worlds", { name: "moving", clock: "manual" });
    let isOver = false;
    const ids: string[] = [];
    const refused: string[] = [];
    const load = [one, two].map(async (at) => {
      while (!isOver) {
        const reply = await traderOf(at, world).place(limitBuy());
        if (reply.status === 200) ids.push(idOf(reply));
        else refused.push(reply.text);
      }
    });
    for (const to of ["two", "one", "two"]) {
      const before = ids.length;
      await expect.poll(() => ids.length).toBeGreaterThan(before + 5);
      await two.control("/worlds/moving/move", { node: to });
      expect((await placesAt(one))[to]).toContain("moving");
    }
    isOver = true;
    await Promise.all(load);
    expect(refused).toEqual([]);
    const open = await two.control("/worlds/moving/orders?limit=1000", {}, "GET").catch(() => null);
    const shown = JSON.stringify(open);
    expect(ids.filter((id) => !shown.includes(id))).toEqual([]);
    const unknown = await one.controlReply("/worlds/moving/move", { node: "three" });
    expect([unknown.status, unknown.text]).toEqual([409, expect.stringContaining("there are one, two")]);
    await Promise.all([one.close(), two.close()]);
  });

  test("a world that nobody uses sleeps in the store, and the next request wakes it", async () => {
    const store = { ...nextStore(), sleepAfterMs: 100 };
    const [one, two] = [await node("one", store), await node("two", store)];
    const world = await one.control("/worlds", { name: "tired", clock: "manual" });
    const id = idOf(await traderOf(two, world).place(limitBuy()));
    await until(() => placesAt(one), { one: ["main"], two: [] });
    const open = await traderOf(two, world).get("/order/open");
    expect(open.list.map((order) => order["id"])).toEqual([id]);
    const stream = streamOf(traderOf(two, world), two.baseUrl);
    await new Promise((done) => stream.once("open", done));
    await new Promise((done) => setTimeout(done, 600));
    expect(Object.values(await placesAt(one)).flat()).toContain("tired");
    stream.close();
    await until(() => placesAt(one), { one: ["main"], two: [] });
    await Promise.all([one.close(), two.close()]);
  });

  test("shows nothing of a commit that is under way, to controls and to the stream", async () => {
    const one = await node("one", nextStore());
    await one.placed(limitBuy());
    const stream = new WebSocket(one.simulator.wsUrl, {
      headers: { ...one.as("trader").prepare("GET", "/ws").headers },
    });
    await new Promise((done) => stream.once("open", done));
    const heard: string[] = [];
    stream.on("message", (data: Buffer) => heard.push(data.toString()));
    const waiting = (name: string) => async () =>
      (await server.ask("SELECT FROM pg_stat_activity WHERE $1 IN (wait_event, wait_event_type)", [name]))
        .length;
    const lock = `BEGIN; SELECT FROM shared_${schemas}.world FOR UPDATE; SELECT pg_sleep(60); COMMIT`;
    const blocked = server.ask(lock).catch(() => "ended");
    await until(waiting("PgSleep"), 1);
    const lost = limitBuy();
    const placing = one.as("trader").place(lost);
    await until(waiting("Lock"), 1);
    stream.send(JSON.stringify({ type: "subscribe", channel: "orders" }));
    const reading = one.controlReply("/orders", {}, "GET");
    await endSessionsOf("one");
    await server.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
    await blocked;
    expect((await placing).status).toBe(503);
    const seen = `${(await reading).text} ${heard.join(" ")}`;
    expect(seen).not.toContain(text(lost, "client_order_id"));
    await until(async () => (await one.as("trader").place(lost)).data["type"], "NEW_ORDER");
    stream.close();
    await one.close();
  });

  test("is refused with a sentence: a world made otherwise, a server that is not there, both file and store", async () => {
    const store = nextStore();
    const one = await node("one", store);
    await one.close();
    await expect(startVenue({ seed: 99, store: { ...store, node: "one" } })).rejects.toThrow(
      "another world file or seed",
    );
    await expect(
      startVenue({ store: { ...store, url: "postgres://nobody@127.0.0.1:1/none", node: "one" } }),
    ).rejects.toThrow(/PostgreSQL failed while the store was opened/);
  });
});

// as: an order that was taken is a record.
const asOrder = (value: unknown): JsonObject => value as JsonObject;
