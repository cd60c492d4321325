/** Many worlds in one process: apart from each other, made, reset, forked and deleted. */
import { describe, expect, test } from "vitest";
import { startSimulator } from "../index.ts";
import type { InternalOptions } from "../internal-options.ts";
import type { Journal } from "../sequencer/ports.ts";
import { asObject, Client, type JsonObject, listIn, type Reply } from "../testing/client.ts";
import { type Faults, through } from "../testing/failing-journal.ts";
import { connectStream, type StreamClient } from "../testing/stream-client.ts";
import { limitBuy, limitSell, uuid, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

/** A client of a world, by the name of its key. */
function clientOf(venue: Venue, world: JsonObject, name = "trader"): Client {
  const key = listIn(world["keys"]).find((candidate) => candidate["name"] === name);
  if (key === undefined) throw new Error(`no key ${name}`);
  return new Client(venue.baseUrl, { keyId: String(key["keyId"]), secret: String(key["secret"]) });
}

const made = (venue: Venue, body: JsonObject): Promise<JsonObject> => venue.control("/worlds", body);
const openIds = async (client: Client): Promise<unknown[]> =>
  listIn((await client.get("/order/open")).body["data"]).map((order) => order["id"]);
const placed = async (client: Client, order: JsonObject = limitBuy()): Promise<string> => {
  const reply = await client.place(order);
  expect(reply.status, reply.text).toBe(200);
  return String(asObject(reply.data["order"])["id"]);
};
const hashOf = async (venue: Venue, world = "main"): Promise<unknown> =>
  (await venue.control(`/worlds/${world}/state-hash`, {}, "GET"))["stateHash"];

describe("a world", () => {
  test("has its own orders, journal, clock and faults", async () => {
    await withVenue({}, async (venue) => {
      const main = await hashOf(venue);
      const trader = clientOf(venue, await made(venue, { name: "ci" }));
      const id = await placed(trader);
      expect(await openIds(trader)).toEqual([id]);
      expect(await openIds(venue.trader)).toEqual([]);
      expect((await venue.trader.get(`/order/${id}`)).status).toBe(404);
      const clock = async (path: string): Promise<JsonObject> => venue.control(path, {}, "GET");
      await venue.control("/worlds/ci/clock", { mode: "manual" });
      await venue.control("/worlds/ci/clock", { advanceMs: 3_600_000 });
      expect((await clock("/worlds/ci/clock"))["now"]).not.toBe((await clock("/clock"))["now"]);
      await venue.control("/worlds/ci/faults", {
        rules: [{ id: "one", fault: { kind: "status", status: 500 } }],
      });
      expect((await trader.get("/order/open")).status).toBe(500);
      expect((await venue.trader.get("/order/open")).status).toBe(200);
      expect(await hashOf(venue)).toBe(main);
    });
  });

  test("with the same seed and the same commands has the same chain hash as another", async () => {
    await withVenue({}, async (venue) => {
      const hashes = [];
      for (const name of ["a", "b"]) {
        const trader = clientOf(
          venue,
          await made(venue, { name, seed: 7, world: { extends: "demo", clock: { mode: "manual" } } }),
        );
        await placed(trader, limitBuy({ client_order_id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301" }));
        await venue.control(`/worlds/${name}/clock`, { advanceMs: 10_000 });
        hashes.push((await venue.control(`/worlds/${name}`, {}, "GET"))["hash"]);
      }
      expect(hashes[0]).toBe(hashes[1]);
    });
  });

  test("has its own stream, which a reset closes", async () => {
    await withVenue({}, async (venue) => {
      const trader = clientOf(venue, await made(venue, { name: "ci" }));
      const [ours, other] = [await connectStream(trader), await connectStream(venue.trader)];
      for (const stream of [ours, other]) stream.subscribe("orders");
      await Promise.all([ours.caughtUp(), other.caughtUp()]);
      const id = await placed(trader);
      const heard = async (stream: StreamClient): Promise<boolean> =>
        JSON.stringify(await stream.caughtUp()).includes(id);
      expect([await heard(ours), await heard(other)]).toEqual([true, false]);
      await venue.control("/worlds/ci/reset");
      expect((await ours.closed).code).toBe(1001);
      await other.caughtUp();
      await other.close();
    });
  });

  test("that is reset begins anew with the same keys, and one that is deleted refuses them", async () => {
    await withVenue({}, async (venue) => {
      const before = await made(venue, { name: "ci", world: { extends: "demo", clock: { mode: "manual" } } });
      const trader = clientOf(venue, before);
      await placed(trader);
      const after = await venue.control("/worlds/ci/reset");
      expect(after["keys"]).toEqual(before["keys"]);
      expect([after["seq"], after["epoch"]]).toEqual([before["seq"], 1]);
      expect(await openIds(trader)).toEqual([]);
      await placed(venue.trader);
      expect(await venue.control("/worlds/main/reset")).toMatchObject({ seq: 0, epoch: 1 });
      expect(await openIds(venue.trader)).toEqual([]);
      await placed(venue.trader);
      await venue.control("/worlds/ci", {}, "DELETE");
      expect((await trader.get("/order/open")).status).toBe(401);
      expect((await venue.controlReply("/worlds/ci", {}, "GET")).status).toBe(404);
    });
  });
});

describe("a key", () => {
  test("that was created is taken over by no world whose name makes the same id", async () => {
    await withVenue({}, async (venue) => {
      let [digits, key] = ["", {} as JsonObject];
      // The name of a world begins with a letter.
      for (let tries = 0; !/^[a-f]/.test(digits); tries += 1) {
        await venue.control("/worlds/main/reset");
        key = await venue.control("/keys", { name: "bot1", client: "alice" });
        digits = String(key["keyId"]).split("_").at(-1) ?? "";
        if (tries > 200) throw new Error("no id begins with a letter");
      }
      const keys = [{ name: "bot1", client: "alice", claims: ["read:orders"] }];
      const taken = await venue.controlReply("/worlds", { name: digits, world: { ...quietWorld(), keys } });
      expect([taken.status, taken.text]).toEqual([409, expect.stringContaining("belongs to another world")]);
      expect((await clientOf(venue, { keys: [key] }, "bot1").get("/order/open")).status).toBe(200);
    });
  });

  test("that was created is known in its world, is no key of another, and goes with a reset", async () => {
    await withVenue({}, async (venue) => {
      await made(venue, { name: "ci" });
      const key = await venue.control("/worlds/ci/keys", { name: "bot", client: "alice" });
      const bot = clientOf(venue, { keys: [key] }, "bot");
      await placed(bot);
      const { exchanges } = await venue.control("/worlds/ci/exchanges?key=bot", {}, "GET");
      expect(exchanges).toHaveLength(1);
      await venue.control("/worlds/main/reset");
      expect((await bot.get("/order/open")).status).toBe(200);
      await venue.control("/worlds/ci/reset");
      expect((await bot.get("/order/open")).code).toBe("INVALID_API_KEY");
    });
  });

  test.each(["of the demo world", "of its file"])(
    "with a secret %s has another one in each world, so that no request is good for two",
    async (kind) => {
      const keys = ["trader", "counterparty"].map((name) => ({
        name,
        client: "alice",
        claims: ["read:orders"] as const,
        ...(kind === "of its file" ? { secret: `own-secret-of-${name}` } : {}),
      }));
      const world = quietWorld({}, { keys });
      await withVenue({ world }, async (venue) => {
        const worlds = [
          await venue.control("/worlds/main", {}, "GET"),
          await made(venue, { name: "a", world }),
          await made(venue, { name: "b", world }),
          await venue.control("/worlds/main/fork", { name: "c" }),
          await venue.control("/worlds/a/fork", { name: "d" }),
        ];
        const clients = worlds.map((one) => clientOf(venue, one));
        expect(new Set(clients.map(({ credentials }) => credentials.secret)).size).toBe(worlds.length);
        for (const from of clients)
          for (const to of clients) {
            const sent = from.prepare("GET", "/order/open");
            const headers = { ...sent.headers, "X-API-KEY": to.credentials.keyId };
            expect((await from.send({ ...sent, headers })).code).toBe(from === to ? "" : "INVALID_SIGNATURE");
          }
      });
    },
  );
});

describe("a fork", () => {
  test("goes on from where its world is, and both go their own way", async () => {
    await withVenue({}, async (venue) => {
      const first = await placed(venue.trader, limitSell({ price: "70000" }));
      const fork = clientOf(venue, await venue.control("/worlds/main/fork", { name: "what-if" }));
      expect(await hashOf(venue, "what-if")).toBe(await hashOf(venue));
      expect(await openIds(fork)).toEqual([first]);
      expect((await fork.delete(`/order/${first}`)).status).toBe(200);
      expect(await openIds(fork)).toEqual([]);
      expect(await openIds(venue.trader)).toEqual([first]);
    });
  });

  test("at an entry is what the world was after it, and takes the ids of later orders again", async () => {
    await withVenue({}, async (venue) => {
      const first = await placed(venue.trader);
      const { seq } = await venue.control("/worlds/main", {}, "GET");
      const stateThen = await hashOf(venue);
      const clientOrderId = uuid();
      const second = await placed(venue.trader, limitBuy({ client_order_id: clientOrderId }));
      await venue.settle();
      const fork = clientOf(venue, await made(venue, { name: "then", from: `main@${String(seq)}` }));
      expect(await hashOf(venue, "then")).toBe(stateThen);
      expect(await openIds(fork)).toEqual([first]);
      expect(await placed(fork, limitBuy({ client_order_id: clientOrderId }))).toBe(second);
    });
  });

  test("knows the nonces that were used before it", async () => {
    await withVenue({}, async (venue) => {
      const nonce = uuid();
      expect((await venue.trader.get("/order/open", { sign: { nonce } })).status).toBe(200);
      const fork = clientOf(venue, await made(venue, { name: "f", from: "main" }));
      expect((await fork.get("/order/open", { sign: { nonce } })).code).toBe("NONCE_REUSED");
    });
  });
});

describe("a world that stops itself", () => {
  /** A sandbox with one world more; the next commit of that which was opened as the `nth` fails, which no world in memory survives. */
  const losing = (nth: number, run: (venue: Venue, other: Client) => Promise<void>): Promise<void> => {
    const faults: Faults = { commit: "works", times: 1, snapshotFails: false, isGone: false };
    let opened = 0;
    const throughJournal = (journal: Journal): Journal => {
      opened += 1;
      return opened === nth ? through(faults)(journal) : journal;
    };
    const options: InternalOptions = { throughJournal };
    return withVenue(options, async (venue) => {
      const other = clientOf(venue, await made(venue, { name: "other" }));
      faults.commit = "loses";
      await run(venue, other);
    });
  };

  test.each([
    [1, "main"],
    [2, "other"],
  ])("takes no other with it: opened as number %d, it is %s", async (nth, name) => {
    await losing(nth, async (venue, other) => {
      const [lost, sound] = name === "main" ? [venue.trader, other] : [other, venue.trader];
      expect((await lost.place(limitBuy())).status).toBe(503);
      expect((await lost.get("/order/open")).status).toBe(503);
      const id = await placed(sound);
      expect(await openIds(sound)).toEqual([id]);
      const about = `/worlds/${name}`;
      expect(await venue.control(`${about}/health`, {}, "GET")).toMatchObject({ mode: "stopped" });
      const noted = async () => listIn((await venue.control(`${about}/exchanges`, {}, "GET"))["exchanges"]);
      // An exchange is noted when its connection has closed, and one closes before the other.
      await expect.poll(async () => (await noted()).map(({ status }) => status)).toEqual([503, 503]);
      const { requestId } = (await noted()).find(({ method }) => method === "POST") ?? {};
      expect(await venue.control(`${about}/exchanges/${String(requestId)}`, {}, "GET")).toMatchObject({
        code: "OUTCOME_UNKNOWN",
      });
      expect((await venue.controlReply(`${about}/journal`, {}, "GET")).status).toBe(503);
      if (name === "other") await venue.control(about, {}, "DELETE");
    });
  });
});

describe("a world of the library", () => {
  test("is made for a block, has controls of its own, and is gone after it", async () => {
    await using simulator = await startSimulator({ clock: "manual" });
    let name = "";
    {
      await using world = await simulator.world({ clock: "manual", seed: 3 });
      name = world.name;
      const key = world.keys.find((one) => one.name === "trader");
      if (key === undefined) throw new Error("no key");
      const trader = new Client(world.baseUrl, key);
      const id = await placed(trader);
      const { effects } = await world.control.clock.advance({ ms: 60_000 });
      expect(effects.map(({ order }) => order)).toContain(id);
      await using fork = await world.fork();
      await world.reset();
      expect((await world.control.health.read()).seq).toBeLessThan((await fork.control.health.read()).seq);
      expect((await simulator.control.world.list()).map((one) => one.name)).toEqual([
        "main",
        name,
        fork.name,
      ]);
    }
    expect((await simulator.control.world.list()).map((one) => one.name)).toEqual(["main"]);
    await expect(simulator.control.world.read({ world: name })).rejects.toMatchObject({ status: 404 });
  });

  test("asks for its name to be free", async () => {
    await using simulator = await startSimulator();
    await expect(simulator.world({ name: "main" })).rejects.toMatchObject({ code: "CONFLICT" });
  });
});

describe("a control of worlds", () => {
  const refusal = async (reply: Promise<Reply>): Promise<unknown> => {
    const { status, body } = await reply;
    return [status, String(body["message"])];
  };

  test("refuses what there is not, names the nearest, and leaves nothing half made", async () => {
    await withVenue({}, async (venue) => {
      const asked = (body: JsonObject): Promise<unknown> => refusal(venue.controlReply("/worlds", body));
      expect(await asked({ name: "main" })).toEqual([
        409,
        expect.stringContaining("There is a world main already"),
      ]);
      expect(await asked({ name: "Ci" })).toEqual([400, expect.stringContaining("lower-case letters")]);
      expect(await asked({ name: "ci", from: "mian" })).toEqual([
        404,
        expect.stringContaining('did you mean "main"?'),
      ]);
      expect(await asked({ name: "ci", from: "main@999" })).toEqual([
        404,
        expect.stringContaining("has no entry 999"),
      ]);
      expect(await asked({ name: "ci", from: "main", seed: 2 })).toEqual([
        400,
        expect.stringContaining("goes without"),
      ]);
      expect(await asked({ name: "ci", world: { extends: "demo", sead: 2 } })).toEqual([
        400,
        expect.stringContaining("sead"),
      ]);
      expect(await refusal(venue.controlReply("/worlds/main", {}, "DELETE"))).toEqual([
        409,
        expect.stringContaining("stays as long as the sandbox"),
      ]);
      expect(await refusal(venue.controlReply("/worlds/ci/clock", {}, "GET"))).toEqual([
        404,
        expect.stringContaining("There is no world ci: there are main"),
      ]);
      expect((await venue.controlReply("/worlds", { name: "ci" }, "POST", "wrong")).status).toBe(403);
      expect(await venue.controlReply("/worlds", {}, "GET")).toMatchObject({
        body: { data: [expect.objectContaining({ name: "main" }) as never] },
      });
    });
  });
});
