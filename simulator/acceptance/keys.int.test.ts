/** Keys that are created, rotated and disabled while the venue runs. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkVenue } from "../index.ts";
import { Client } from "../testing/client.ts";
import { connectStream } from "../testing/stream-client.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const withWorld = useWorlds();

let folder = "";
let db = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-keys-"));
  db = path.join(folder, "venue.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const create = (venue: Venue, more: object = {}) =>
  venue.control("/keys", { name: "bot", client: "alice", ...more });
const listed = async (venue: Venue, world = "") =>
  (await venue.controlReply(`${world}/keys`, {}, "GET")).body[
    "data"
  ] as unknown as readonly (Venue["simulator"]["keys"][number] & { readonly state: string })[];
const orderOf = (venue: Venue, key: string) => venue.as(key).post("/order", limitBuy());

describe("a key that was created", () => {
  test("trades for its client, is listed with its secret, and is there after a restart", async () => {
    const made = await withVenue({ db }, async (venue) => {
      const key = await create(venue);
      expect(key).toMatchObject({
        name: "bot",
        client: "alice",
        claims: expect.arrayContaining(["write:orders"]),
      });
      expect((await orderOf(venue, "bot")).status).toBe(200);
      expect(await listed(venue)).toMatchObject(venue.simulator.keys);
      const states = (await listed(venue)).map(({ name, state }) => [name, state]);
      expect(states.filter(([, state]) => state !== "enabled")).toEqual([["disabled", "disabled"]]);
      expect(venue.simulator.keys.at(-1)).toEqual(key);
      return key;
    });
    await withVenue({ db }, async (venue) => {
      expect(venue.simulator.keys.at(-1)).toEqual(made);
      expect((await orderOf(venue, "bot")).status).toBe(200);
      expect((await venue.as("bot").get("/order")).data["items"]).toHaveLength(2);
    });
    expect((await checkVenue({ db, world: quietWorld() })).problems).toEqual([]);
  });

  test("may do what its claims say, and acts for nobody without a client", async () => {
    await withVenue({}, async (venue) => {
      await create(venue, { claims: ["read:orders"] });
      await create(venue, { name: "nobodys", client: null });
      expect((await venue.as("bot").get("/order")).status).toBe(200);
      expect(await orderOf(venue, "bot")).toMatchObject({ code: "MISSING_CLAIM" });
      expect((await venue.as("nobodys").get("/order")).status).toBe(403);
    });
  });

  test("is refused when its name is taken or its client unknown", async () => {
    await withWorld({}, async (venue) => {
      await create(venue);
      const again = await venue.controlReply("/keys", { name: "bot" });
      expect([again.status, again.text]).toEqual([
        400,
        expect.stringContaining("There is a key bot already"),
      ]);
      expect((await venue.controlReply("/keys", { name: "more", client: "zoe" })).status).toBe(404);
    });
  });

  test("is disabled like any other, and belongs to its world and to a fork of it", async () => {
    await withVenue({}, async (venue) => {
      await create(venue);
      await venue.control("/worlds", { name: "copy", from: "main" });
      await venue.control("/keys/bot", { enabled: false });
      expect(await orderOf(venue, "bot")).toMatchObject({ code: "INVALID_API_KEY" });
      const key = (await listed(venue, "/worlds/copy")).at(-1);
      expect(key?.keyId).toMatch(/^gw_bot_[0-9a-f]{8}_copy$/);
      if (key === undefined) return;
      expect((await new Client(venue.baseUrl, key).post("/order", limitBuy())).status).toBe(200);
      expect((await venue.trader.get("/order")).data["items"]).toEqual([]);
    });
  });
});

describe("a key that is rotated", () => {
  test("has its id and another secret at once, and after a restart; its WebSockets end", async () => {
    const heard: unknown[] = [];
    let keys: () => Venue["simulator"]["keys"] = () => [];
    const onKeys = (): unknown => heard.push(keys().find(({ name }) => name === "trader"));
    const [before, after] = await withVenue({ db, onKeys }, async (venue) => {
      keys = () => venue.simulator.keys;
      const old = venue.trader;
      const known = venue.simulator.keys.find(({ name }) => name === "trader");
      const stream = await connectStream(venue.trader);
      heard.length = 0;
      const rotated = await venue.control("/keys/trader/rotate");
      expect((await stream.closed).code).toBe(4401);
      expect(heard).toEqual([venue.simulator.keys.find(({ name }) => name === "trader")]);
      expect(rotated).toMatchObject({ keyId: known?.keyId, name: "trader" });
      expect(await old.get("/order")).toMatchObject({ code: "INVALID_SIGNATURE" });
      expect((await orderOf(venue, "trader")).status).toBe(200);
      return [known, rotated] as const;
    });
    expect(after["secret"]).not.toBe(before?.secret);
    await withVenue({ db }, async (venue) => {
      expect(venue.simulator.keys.find(({ name }) => name === "trader")).toEqual(after);
      const again = await venue.control("/keys/trader/rotate");
      expect(again["secret"]).not.toBe(after["secret"]);
      expect((await orderOf(venue, "trader")).status).toBe(200);
    });
  });

  test("leaves no secret in the journal, the exchange log and a capsule", async () => {
    await withVenue({}, async (venue) => {
      const secrets = [
        (await create(venue))["secret"],
        (await venue.control("/keys/trader/rotate"))["secret"],
      ].map(String);
      await orderOf(venue, "bot");
      await venue.as("trader").get("/order", { query: `x=${secrets[1]}` });
      const capsule = await venue.control("/capsule", {}, "GET");
      const texts = [
        JSON.stringify(await venue.control("/journal", {}, "GET")),
        JSON.stringify(await venue.control("/exchanges", {}, "GET")),
        gunzipSync(Buffer.from(String(capsule["file"]), "base64")).toString(),
      ];
      expect(texts[1]).toContain("left out");
      for (const secret of secrets) for (const text of texts) expect(text).not.toContain(secret);
    });
  });
});
