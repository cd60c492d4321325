/** Nodes that follow a world of a PostgreSQL, which another node has. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import WebSocket from "ws";
import type { WorldQuota } from "../options.ts";
import { PostgresServer, postgresPrograms, withoutPostgres } from "../store/testing/postgres-server.ts";
import { asObject, Client, type Json, type JsonObject, listIn, type Reply, text } from "../testing/client.ts";
import { limitBuy, startVenue, type Venue } from "../testing/venue.ts";

const isMissing = postgresPrograms === null;
let server: PostgresServer;
let schemas = 0;

beforeAll(async () => {
  if (!isMissing) server = await PostgresServer.start();
});
afterAll(() => server?.remove());

const started: Venue[] = [];
afterEach(async () => void (await Promise.allSettled(started.splice(0).map((venue) => venue.close()))));

const schema = (): string => `followed_${schemas}`;
/** Ids of the requests that each node has answered itself. */
const answered = new WeakMap<Venue, Set<string>>();

async function node(
  name: string,
  follow: readonly string[] = [],
  store: { leaseMs?: number; sleepAfterMs?: number } = {},
  worldQuota: WorldQuota = {},
): Promise<Venue> {
  const ids = new Set<string>();
  const venue = await startVenue({
    store: { url: server.url, schema: schema(), leaseMs: 900, node: name, follow, ...store },
    controlToken: "a-token-of-all-nodes",
    worldQuota,
    onRequest: ({ id }) => void ids.add(id),
    ...({ retryMs: 50 } as object),
  });
  answered.set(venue, ids);
  started.push(venue);
  return venue;
}

const isAnsweredBy = (venue: Venue, { headers }: Reply): boolean =>
  answered.get(venue)?.has(String(headers["x-request-id"])) === true;

/** With an id by which the node that has answered is known. */
const named = (headers: Record<string, string> = {}) => ({
  headers: { ...headers, "X-Request-Id": crypto.randomUUID() },
});

const sequenceOf = ({ headers }: Reply): number => Number(headers["x-gatewright-sequence"]);

const minSequence = (sequence: number | string) => ({ "X-Gatewright-Min-Sequence": String(sequence) });

const open = (client: Client, headers: Record<string, string> = {}): Promise<Reply> =>
  client.get("/order/open", named(headers));

/** Reads until this node answers them itself. */
const untilFollowed = (venue: Venue, client: Client): Promise<void> =>
  expect.poll(async () => isAnsweredBy(venue, await open(client))).toBe(true);

/** An owner of `main`, a node that follows it and has caught up, and the same client at both. */
async function pair(store: { leaseMs?: number } = {}) {
  schemas += 1;
  const owner = await node("one", [], store);
  const follower = await node("two", ["main"], store);
  const { trader } = owner;
  const client = new Client(follower.baseUrl, trader.credentials);
  await untilFollowed(follower, client);
  return { owner, follower, trader, client };
}

const orderIn = ({ data }: Reply): JsonObject => asObject(data["order"]);

const followedBy = async (name: string, venue: Venue): Promise<Json | undefined> => {
  const nodes = (await venue.controlReply("/nodes", {}, "GET")).list;
  return nodes.find((one) => one["name"] === name)?.["follows"];
};

/** Connections of the follower on which it hears the owner. */
async function listeners(): Promise<number> {
  const text = "SELECT FROM pg_stat_activity WHERE application_name = $1 AND query LIKE 'LISTEN%'";
  return (await server.ask(text, ["gatewright two"])).length;
}

/** As a node leaves the store that was killed: with a lease, and nothing at its address. */
async function kill(owner: Venue, leaseMs: number): Promise<void> {
  const { port } = new URL(owner.baseUrl);
  await owner.close();
  const lease = `clock_timestamp() + interval '${leaseMs} ms'`;
  await server.ask(`INSERT INTO ${schema()}.node VALUES ('one', $1, ${lease})`, [`127.0.0.1:${port}`]);
  await server.ask(`UPDATE ${schema()}.world SET owner = 'one'`);
}

async function streamOf(client: Client) {
  const url = `${client.baseUrl.replace("http", "ws")}/ws`;
  const stream = new WebSocket(url, { headers: { ...client.prepare("GET", "/ws").headers } });
  const heard: string[] = [];
  stream.on("message", (data: Buffer) => heard.push(data.toString()));
  const closed = new Promise<number>((done) => stream.once("close", done));
  await new Promise((done) => stream.once("open", done));
  stream.send(JSON.stringify({ type: "subscribe", channel: "orders" }));
  await expect.poll(() => heard.join()).toContain("orders");
  return { heard, closed };
}

describe.skipIf(isMissing)(`a followed world${isMissing ? `. ${withoutPostgres}` : ""}`, () => {
  test("a follower reads its own writes, which the owner executes, and those of others by their sequence", async () => {
    const { owner, follower, trader, client } = await pair();
    for (let round = 0; round < 8; round += 1) {
      const placed = await client.post("/order", limitBuy(), named());
      expect([placed.status, isAnsweredBy(owner, placed), isAnsweredBy(follower, placed)]).toEqual([
        200,
        true,
        false,
      ]);
      const own = await client.get(`/order/${text(orderIn(placed), "id")}`, named());
      expect([own.status, isAnsweredBy(follower, own)]).toEqual([200, true]);
      expect(sequenceOf(own)).toBeGreaterThanOrEqual(sequenceOf(placed));
      const elsewhere = await trader.place(limitBuy());
      const headers = minSequence(sequenceOf(elsewhere));
      const asked = await client.get(`/order/${text(orderIn(elsewhere), "id")}`, named(headers));
      expect([asked.status, isAnsweredBy(follower, asked)]).toEqual([200, true]);
    }
    const there = await trader.get("/wallet");
    const here = await client.get("/wallet", named(minSequence(sequenceOf(there))));
    expect([isAnsweredBy(follower, here), here.list]).toEqual([true, there.list]);
    const follows = [{ world: "main", entry: sequenceOf(there), trouble: null }];
    await expect.poll(() => followedBy("two", owner)).toEqual(follows);
  });

  test("what cannot be read here goes to the owner: an entry that does not come, a number that is none, a world with faults", async () => {
    const { owner, follower, client } = await pair();
    for (const wanted of [1_000_000, "soon"]) {
      const reply = await open(client, minSequence(wanted));
      expect([reply.status, isAnsweredBy(follower, reply)]).toEqual([200, false]);
    }
    await follower.control("/faults", { rules: [{ id: "slow", fault: { kind: "delay", ms: 1 } }] }, "PUT");
    const met = await open(client);
    expect([isAnsweredBy(owner, met), isAnsweredBy(follower, met)]).toEqual([true, false]);
    await follower.control("/faults", {}, "DELETE");
    await untilFollowed(follower, client);
    await follower.control("/keys/trader", { enabled: false });
    expect((await open(client)).code).toBe("INVALID_API_KEY");
  });

  test("no nonce is accepted twice, also when the follower becomes the owner; what it cannot know goes to the owner", async () => {
    const { owner, follower, client } = await pair();
    const once = client.prepare("GET", "/order/open");
    expect((await client.send(once)).status).toBe(200);
    expect((await client.send(once)).code).toBe("NONCE_REUSED");
    const written = client.prepare("POST", "/order", { body: limitBuy() });
    expect((await client.send(written)).status).toBe(200);
    const sign = { nonce: String(written.headers["X-API-NONCE"]) };
    const reused = await client.get("/order/open", { ...named(), sign });
    expect([reused.code, isAnsweredBy(follower, reused)]).toEqual(["NONCE_REUSED", true]);
    const begun = Date.now();
    for (const timestamp of [begun - 25_000, begun + 25_000]) {
      const reply = await client.get("/order/open", { ...named(), sign: { timestamp: String(timestamp) } });
      expect([reply.status, isAnsweredBy(follower, reply)]).toEqual([200, false]);
    }
    await owner.close();
    await expect.poll(async () => (await client.place(limitBuy())).status).toBe(200);
    expect((await client.send(once)).code).toBe("NONCE_REUSED");
  });

  test("a damaged entry takes the follower out of service, loudly, and the owner answers", async () => {
    const { owner, follower, client } = await pair();
    const { closed } = await streamOf(client);
    await server.ask(
      `CREATE FUNCTION ${schema()}.damage() RETURNS trigger LANGUAGE plpgsql
       AS 'BEGIN NEW.elapsed := NEW.elapsed + 1; RETURN NEW; END'`,
    );
    await server.ask(
      `CREATE TRIGGER damage BEFORE INSERT ON ${schema()}.journal FOR EACH ROW EXECUTE FUNCTION ${schema()}.damage()`,
    );
    const placed = await client.place(limitBuy());
    const id = text(orderIn(placed), "id");
    const read = await client.get(`/order/${id}`, named());
    expect([read.status, isAnsweredBy(owner, read), isAnsweredBy(follower, read)]).toEqual([
      200,
      true,
      false,
    ]);
    expect(await closed).toBe(1001);
    const sentence = "The journal does not reproduce itself: entry";
    expect(follower.notices.join()).toContain("this node follows it no further");
    expect(follower.notices.join()).toContain(sentence);
    await expect
      .poll(() => followedBy("two", owner))
      .toEqual([expect.objectContaining({ world: "main", trouble: expect.stringContaining(sentence) })]);
    const later = await open(client, minSequence(sequenceOf(placed)));
    expect([later.list.map((order) => order["id"]), isAnsweredBy(follower, later)]).toEqual([[id], false]);
  });

  test("when the owner is killed, a follower says which entry it shows, takes no order, and becomes the owner", async () => {
    const { owner, follower, client } = await pair();
    const placed = await client.place(limitBuy());
    const { heard, closed } = await streamOf(client);
    await kill(owner, 3000);
    const read = await open(client);
    expect([read.status, isAnsweredBy(follower, read)]).toEqual([200, true]);
    expect(sequenceOf(read)).toBe(sequenceOf(placed));
    const refused = await client.place(limitBuy());
    expect([refused.status, refused.code]).toEqual([503, "NOT_READY"]);
    await expect.poll(async () => (await client.place(limitBuy())).status).toBe(200);
    expect(await closed).toBe(1001);
    expect(heard.join()).toContain(text(orderIn(placed), "id"));
    await expect.poll(() => followedBy("two", follower)).toEqual([]);
    const ids = (await open(client)).list.map((order) => order["id"]);
    expect(ids).toContain(orderIn(placed)["id"]);
  });

  test("its streams tell what the owner has committed, as soon as the owner has told of it", async () => {
    // What is not told is read after ten minutes.
    const { trader, client } = await pair({ leaseMs: 1_800_000 });
    await expect.poll(listeners).toBe(1);
    const { heard } = await streamOf(client);
    const placed = await trader.place(limitBuy());
    await expect.poll(() => heard.join()).toContain(text(orderIn(placed), "id"));
  });

  test("what was not told is read all the same; a world that moves here and away is followed again", async () => {
    const { owner, follower, trader, client } = await pair();
    const { heard } = await streamOf(client);
    await server.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
      "gatewright two",
    ]);
    const placed = await trader.place(limitBuy());
    await expect.poll(() => heard.join()).toContain(text(orderIn(placed), "id"));
    await expect.poll(listeners).toBe(1);
    await owner.control("/worlds/main/move", { node: "two" });
    await owner.control("/worlds/main/move", { node: "one" });
    await untilFollowed(follower, client);
    expect((await open(client)).list.length).toBe(1);
  });

  test("a world is followed from when it is made, and anew when another one has its name", async () => {
    schemas += 1;
    const [owner, follower] = [await node("one"), await node("two", ["later"])];
    for (const orders of [3, 1, 2]) {
      const made = await owner.control("/worlds", { name: "later", clock: "manual" });
      // as: keys are records.
      const keys = made["keys"] as unknown as { name: string; keyId: string; secret: string }[];
      const key = keys.find(({ name }) => name === "trader");
      if (key === undefined) throw new Error("the world has no trader");
      const client = new Client(follower.baseUrl, key);
      for (let n = 0; n < orders; n += 1) expect((await client.place(limitBuy())).status).toBe(200);
      await untilFollowed(follower, client);
      expect((await open(client)).list.length).toBe(orders);
      if (orders !== 2) await owner.control("/worlds/later", {}, "DELETE");
    }
    const begun = () =>
      follower.notices.filter((notice) => notice.includes("follows the world later")).length;
    expect(begun()).toBe(3);
    // As when another one has come in its place, of which nothing was told.
    await server.ask(`UPDATE ${schema()}.world SET id = DEFAULT WHERE name = 'later'`);
    await expect.poll(begun).toBe(4);
  });

  test("a node that follows a world holds its quota of requests, too", async () => {
    schemas += 1;
    const owner = await node("one");
    const made = await owner.control("/worlds", { name: "ci" });
    const follower = await node("two", ["ci"], {}, { requestsPerSecond: 2 });
    const key = listIn(made["keys"]).find(({ name }) => name === "trader") as JsonObject;
    const credentials = { keyId: text(key, "keyId"), secret: text(key, "secret") };
    const client = new Client(follower.baseUrl, credentials);
    const wave = () => Promise.all(Array.from({ length: 20 }, () => client.get("/order/open")));
    const refused = async () => (await wave()).find(({ status }) => status === 429)?.text;
    await expect.poll(refused).toMatch(/This world may get 2 requests a second, of all its keys together/);
  });

  test("a world sleeps when nobody uses it, and not while a node follows it", async () => {
    schemas += 1;
    const owner = await node("one", [], { sleepAfterMs: 3000 });
    await owner.control("/worlds", { name: "followed", clock: "manual" });
    await node("two", ["followed"]);
    await expect.poll(() => followedBy("two", owner)).toHaveLength(1);
    await owner.control("/worlds", { name: "tired", clock: "manual" });
    const awake = async (): Promise<Json | undefined> => {
      const nodes = (await owner.controlReply("/nodes", {}, "GET")).list;
      return nodes.find(({ name }) => name === "one")?.["worlds"];
    };
    expect(await awake()).toEqual(["followed", "main", "tired"]);
    await expect.poll(awake).toEqual(["followed", "main"]);
  });
});
