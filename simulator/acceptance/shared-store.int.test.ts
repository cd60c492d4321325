/** A world in PostgreSQL, served by one node after another. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import {
  freePort,
  PostgresServer,
  postgresPrograms,
  withoutPostgres,
} from "../store/testing/postgres-server.ts";
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

/** A node of a store; `retryMs` is how soon it tries again after a failure. */
const node = (name: string, store: ReturnType<typeof nextStore>): Promise<Venue> =>
  startVenue({ store: { ...store, node: name }, ...({ retryMs: 50 } as object) });

const health = (venue: Venue): Promise<JsonObject> => venue.control("/health", {}, "GET");

/** Asks until the answer is as wanted: a venue that comes back takes a moment. */
const until = (ask: () => Promise<unknown>, wanted: unknown): Promise<void> =>
  expect.poll(ask, { interval: 20, timeout: 20_000 }).toEqual(wanted);

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

  test("a node that waits passes requests, controls and streams on, and then serves on the same port", async () => {
    const store = nextStore();
    const token = "a-token-of-both-nodes";
    const one = await startVenue({ store: { ...store, node: "one" }, controlToken: token });
    const notices: string[] = [];
    const port = await freePort();
    const coming = startVenue({
      port,
      store: { ...store, node: "two" },
      controlToken: token,
      onNotice: (said) => notices.push(said),
    });
    await expect.poll(() => notices.join()).toContain("The node one holds the world main");
    const baseUrl = one.simulator.baseUrl.replace(/:\d+\//, `:${port}/`);
    const client = new Client(baseUrl, one.as("trader").credentials);
    const placed = await client.place(limitBuy());
    expect(placed.status).toBe(200);
    const { id } = asOrder(placed.data["order"]);
    expect((await one.order(String(id)))["id"]).toBe(id);
    const told = await fetch(new URL("/__gatewright/orders", baseUrl), {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await told.text()).toContain(String(id));
    const stream = new WebSocket(`${baseUrl.replace("http", "ws")}/ws`, {
      headers: { ...client.prepare("GET", "/ws").headers },
    });
    await new Promise((done) => stream.once("open", done));
    const ended = new Promise((done) => stream.once("close", done));
    await one.close();
    await ended;
    const two = await coming;
    expect(two.simulator.baseUrl).toBe(baseUrl);
    expect(await two.order(String(id))).toMatchObject({ status: "OPEN" });
    await two.close();
  });

  test("a node that has the address of the one before does not call itself, and says 503 until it serves", async () => {
    const store = nextStore();
    const one = await node("one", store);
    const port = Number(new URL(one.simulator.baseUrl).port);
    const client = one.as("trader");
    await one.close();
    const schema = `shared_${schemas}`;
    // As a node that was killed leaves it.
    await server.ask(`UPDATE ${schema}.world SET lease_until = clock_timestamp() + interval '2 s'`);
    const coming = startVenue({ port, store: { ...store, node: "two" } });
    await until(async () => (await client.get("/order/open").catch(() => ({ status: 0 }))).status, 503);
    const refused = await client.get("/order/open");
    expect([refused.status, refused.code, refused.headers["retry-after"]]).toEqual([503, "NOT_READY", "1"]);
    const two = await coming;
    expect((await two.as("trader").get("/order/open")).status).toBe(200);
    await two.close();
  });

  test("a lost connection: nothing acknowledged is lost, a retry finds out, and orders are taken again", async () => {
    const one = await node("one", nextStore());
    const acknowledged: string[] = [];
    for (let round = 0; round < 5; round++) {
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
    expect(new Set(acknowledged).size).toBe(100);
    for (const id of acknowledged) expect(await one.order(id)).toMatchObject({ id });
    await one.close();
  });

  test("a node whose world was taken over tells nobody done, and stops", async () => {
    const store = nextStore();
    const one = await node("one", store);
    const order = await one.placed(limitBuy());
    // As after a pause that was longer than the lease: another node has raised the epoch.
    const schema = `shared_${schemas}`;
    await server.ask(`UPDATE ${schema}.world SET owner = 'two', lease_epoch = lease_epoch + 1`);
    const refused = await one.as("trader").place(limitBuy());
    expect([refused.status, refused.code]).toEqual([503, "NOT_READY"]);
    await expect.poll(() => one.notices.join()).toContain("taken the world main over");
    await until(async () => (await health(one))["mode"], "stopped");
    await one.close();
    await server.ask(`UPDATE ${schema}.world SET lease_until = '-infinity'`);
    const two = await node("two", store);
    const open = await two.as("trader").get("/order/open");
    expect(open.list.map(({ id }) => id)).toEqual([order["id"]]);
    await two.close();
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
