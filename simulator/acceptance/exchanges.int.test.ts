/** The exchange log: what was sent, which check refused it, what it caused, and what was answered. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { mostKept } from "../exchanges/exchange.ts";
import { asObject, Client, type JsonObject, listIn, parseRaw, sendRaw } from "../testing/client.ts";
import { connectStream, refusedStream } from "../testing/stream-client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, uuidFrom, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();

const list = async (running: Venue, query = "", world = "main"): Promise<readonly JsonObject[]> =>
  listIn((await running.control(`/worlds/${world}/exchanges${query}`, {}, "GET"))["exchanges"]);
const read = (running: Venue, id: unknown): Promise<JsonObject> =>
  running.control(`/exchanges/${String(id)}`, {}, "GET");
const last = async (running: Venue): Promise<JsonObject> => asObject((await list(running, "?limit=1"))[0]);

describe("an exchange", () => {
  test("of an order has what was sent and answered, and the entry that it caused", async () => {
    const order = limitBuy();
    const reply = await venue().trader.place(order);
    const { seq } = await venue().control("/state-hash", {}, "GET");
    const found = await read(venue(), reply.headers["x-request-id"]);
    expect(found).toMatchObject({
      kind: "request",
      key: "trader",
      method: "POST",
      target: "/api/v1/trading/order",
      status: 200,
      code: null,
      sent: true,
      refusedBy: null,
      entries: { first: seq, last: seq },
      request: { body: { text: JSON.stringify(order) } },
      answer: { body: { text: reply.text } },
    });
    expect(found["durationMs"]).toBeGreaterThan(0);
    expect(listIn(found["checks"]).every(({ passed }) => passed === true)).toBe(true);
  });

  test("of a refused request ends with the check that refused it, and caused nothing", async () => {
    const reply = await venue().trader.get("/order/open", { secret: "not the secret" });
    const found = await read(venue(), reply.headers["x-request-id"]);
    expect(found).toMatchObject({
      status: 401,
      code: "INVALID_SIGNATURE",
      refusedBy: "the signature fits the request",
      entries: null,
    });
    expect(listIn(found["checks"]).at(-1)).toEqual({ check: found["refusedBy"], passed: false });
  });

  test("holds no secret, whatever was sent", async () => {
    const { trader } = venue();
    const prepared = trader.prepare("GET", "/order/open");
    const reply = await trader.send(prepared);
    const text = JSON.stringify(await read(venue(), reply.headers["x-request-id"]));
    const sent = [
      trader.credentials.secret,
      trader.credentials.keyId,
      String(prepared.headers["X-API-SIGNATURE"]),
    ];
    for (const secret of sent) expect(text).not.toContain(secret);
  });

  test("holds no secret that a client puts where none belongs", async () => {
    const { trader, simulator } = venue();
    const secrets = [trader.credentials.secret, String(simulator.control?.token)];
    for (const secret of secrets) {
      const query = `cursor=${encodeURIComponent(secret)}`;
      const asked = [
        await trader.get("/order", { query }),
        await trader.place({ note: secret, side: secret }),
      ];
      for (const { headers } of asked) {
        const text = JSON.stringify(await read(venue(), headers["x-request-id"]));
        expect(text).toMatch(/left out: a secret|"body":\{"length":\d+\}/);
        for (const one of secrets) expect(text).not.toContain(one);
      }
    }
  });

  test("holds no secret in its id, in a header and in a coded body, and no signature in another header", async () => {
    const { trader, simulator, baseUrl } = venue();
    const signature = String(trader.prepare("GET", "/order/open").headers["X-API-SIGNATURE"]);
    const other = simulator.keys.find(({ name }) => name === "reader")?.secret ?? "";
    const { secret } = trader.credentials;
    const token = String(simulator.control?.token);
    const base64 = Buffer.from(`gw_demo_trader:${secret}`).toString("base64");
    const hex = Buffer.from(secret).toString("hex");
    const marked = async (headers: Readonly<Record<string, string>>, target = ""): Promise<void> => {
      await fetch(`${baseUrl}/order/open${target}`, { headers });
    };
    for (const text of [secret, other, token, base64, hex, secret.toUpperCase(), signature]) {
      await marked({ "X-Request-Id": text });
      await marked({ "User-Agent": text });
      await marked({ [text.replaceAll("=", "")]: "1" });
      await marked({}, `?cursor=${encodeURIComponent(encodeURIComponent(text))}`);
      await trader.place({ note: text === signature ? "" : text });
    }
    for (const name of ["X-API-SIGN", "X-Signature", "Set-Cookie", "X-Token"])
      await marked({ [name]: signature });
    const found = await list(venue(), "?limit=1000");
    const ids = found.map(({ requestId }) => String(requestId)).filter((id) => !id.startsWith("("));
    const whole = await Promise.all([...new Set(ids)].map((id) => read(venue(), id)));
    const text = JSON.stringify([found, whole]).toLowerCase();
    for (const one of [secret, other, token, base64, hex, signature])
      expect(text).not.toContain(one.toLowerCase());
  });

  test.each([8, 20, 30])(
    "holds no beginning of a secret where a body is cut: %d characters",
    async (kept) => {
      const { trader } = venue();
      const { secret } = trader.credentials;
      const filler = "x".repeat(mostKept - '{"note":"'.length - kept);
      const { headers } = await trader.place({ note: filler + secret });
      const { request } = await read(venue(), headers["x-request-id"]);
      expect(request).toMatchObject({ body: { length: expect.any(Number) } });
      expect(JSON.stringify(request)).not.toContain(secret.slice(0, kept));
    },
  );

  test("is there for what never reached a route", async () => {
    const { baseUrl } = venue();
    const garbage = parseRaw(await sendRaw(baseUrl, "GET / HTTP/9.9\r\n\r\n"));
    expect(await read(venue(), garbage.headers["x-request-id"])).toMatchObject({
      status: garbage.status,
      key: null,
      refusedBy: "the message is HTTP/1.1 that this listener takes",
    });
    const unknown = await venue().open("/nowhere");
    expect(await read(venue(), unknown.headers["x-request-id"])).toMatchObject({
      status: 404,
      refusedBy: "the path and the method exist",
    });
    const escaped = await venue().open("/order/%zz");
    expect(await read(venue(), escaped.headers["x-request-id"])).toMatchObject({ status: escaped.status });
  });

  test("of a lost answer says that it was not sent, and what was done all the same", async () => {
    await withVenue({}, async (own) => {
      await own.control("/faults", { rules: [{ id: "lost", fault: { kind: "dropConnectionAfter" } }] });
      await expect(own.trader.place(limitBuy())).rejects.toThrow();
      await own.control("/faults", { rules: [] });
      expect(await last(own)).toMatchObject({
        status: 0,
        sent: false,
        entries: { first: expect.any(Number) },
      });
    });
  });

  test("of a request that a fault rule refused names the rule, and no check that failed", async () => {
    await withVenue({}, async (own) => {
      const prefixed = (first: string) => limitBuy({ client_order_id: uuidFrom(first) });
      const refusedBy = async (order: JsonObject): Promise<unknown[]> => {
        const reply = await own.trader.place(order);
        const found = await read(own, reply.headers["x-request-id"]);
        expect(listIn(found["checks"]).at(-1)).toEqual({ check: found["refusedBy"], passed: false });
        return [found["refusedBy"], listIn(found["faults"])];
      };
      const fault = (rule: string, kind: string) => [
        `the fault rule ${rule} (${kind}) lets it pass`,
        [{ rule, kind, refused: true }],
      ];
      expect(await refusedBy(prefixed("00000e0e"))).toEqual(fault("reserved-STATUS_503", "status"));
      expect(await refusedBy(prefixed("00000e08"))).toEqual(
        fault("reserved-EXCHANGE_REJECTS", "rejectByExchange"),
      );
      // A real refusal comes before the fault, which then has no effect.
      const small = await refusedBy({ ...prefixed("00000e08"), base_quantity: "0.00001" });
      expect(small).toEqual(["the rules of the venue allow it", []]);
      // The order of a lost answer is placed: its repeat meets no fault.
      const lost = prefixed("00000e05");
      await expect(own.trader.place(lost)).rejects.toThrow();
      expect(await last(own)).toMatchObject({
        code: null,
        faults: [{ rule: "reserved-LOST_ANSWER", kind: "dropConnectionAfter", refused: false }],
      });
      await own.trader.place(lost);
      expect((await last(own))["faults"]).toEqual([]);
    });
  });

  test("of a WebSocket says what was said on it, once it has ended", async () => {
    const stream = await connectStream(venue().trader);
    stream.subscribe("trades", { products: ["BTC-USD"] });
    await stream.nextOf("subscriptions");
    const open = asObject((await list(venue(), "?status=101")).at(-1));
    expect(open).toMatchObject({ kind: "stream", key: "trader", stream: null });
    await stream.close();
    await expect
      .poll(async () => (await read(venue(), open["requestId"]))["stream"])
      .toMatchObject({
        code: 1005,
        received: 1,
        sent: expect.any(Number),
        subscriptions: ["trades BTC-USD"],
      });
    const refused = await refusedStream(venue().trader, { secret: "not the secret" });
    expect((await last(venue()))["status"]).toBe(refused.status);
  });
});

describe("the log", () => {
  test("is filtered by key, status and path, and read on from a number", async () => {
    await withVenue({}, async (own) => {
      await own.trader.get("/order/open");
      await own.as("reader").get("/product");
      await own.trader.get("/order/nothing");
      const targets = async (query: string): Promise<unknown[]> =>
        (await list(own, query)).map(({ target }) => String(target).replace("/api/v1/trading", ""));
      expect(await targets("?key=reader")).toEqual(["/product"]);
      expect(await targets("?status=4xx")).toEqual(["/order/nothing"]);
      expect(await targets("?path=/api/v1/trading/order")).toEqual(["/order/open", "/order/nothing"]);
      expect(await targets("?after=1&limit=1")).toEqual(["/product"]);
      const wrong = await own.controlReply("/exchanges?stauts=404", {}, "GET");
      expect([wrong.status, wrong.code]).toEqual([400, "INVALID_QUERY"]);
      expect(wrong.text).toContain("status");
    });
  });

  test("keeps little of somebody without a key, and few of refusals that are alike", async () => {
    await withVenue({}, async (own) => {
      const headers = Array.from({ length: 7 }, (_, n) => `X-A${n}: ${"a".repeat(900)}\r\n`).join("");
      const target = `/api/v1/trading/order/open?${"q".repeat(7000)}`;
      const request = `GET ${target} HTTP/1.1\r\nHost: ${new URL(own.baseUrl).host}\r\n${headers}`;
      const sent = 400;
      await sendRaw(own.baseUrl, `${`${request}\r\n`.repeat(sent - 1)}${request}Connection: close\r\n\r\n`);
      const { dropped } = await own.control("/exchanges", {}, "GET");
      const kept = await list(own, "?limit=1000");
      expect(new Set(kept.map(({ code }) => code))).toEqual(new Set(["MISSING_CREDENTIALS"]));
      expect(kept.length + Number(dropped)).toBe(sent);
      // The log may have been written in between, and each time as many are kept.
      expect(dropped).toBeGreaterThan(0);
      const one = await read(own, kept.at(-1)?.["requestId"]);
      expect(JSON.stringify(one["request"]).length).toBeLessThan(3000);
    });
  });

  test("is that of one world, and empty after its reset", async () => {
    await withVenue({}, async (own) => {
      const made = await own.control("/worlds", { name: "ci" });
      const key = listIn(made["keys"]).find(({ name }) => name === "trader");
      await new Client(own.baseUrl, {
        keyId: String(key?.["keyId"]),
        secret: String(key?.["secret"]),
      }).get("/order/open");
      expect(await list(own)).toEqual([]);
      expect(await list(own, "", "ci")).toHaveLength(1);
      await own.control("/worlds/ci/reset");
      expect(await list(own, "", "ci")).toEqual([]);
    });
  });

  test("is kept beside the database", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "exchanges-"));
    const options = { db: path.join(folder, "venue.db"), world: quietWorld() };
    await withVenue(options, (own) => own.trader.place(limitBuy()));
    await withVenue(options, async (own) => {
      expect(await list(own)).toMatchObject([{ target: "/api/v1/trading/order" }]);
    });
    rmSync(folder, { recursive: true });
  });

  test("can be switched off", async () => {
    await withVenue({ exchanges: false }, async (own) => {
      const reply = await own.trader.place(limitBuy({ client_order_id: uuidFrom("3f2504e0") }));
      expect(reply.headers["x-request-id"]).toMatch(/./);
      for (const path of ["/exchanges", `/exchanges/${String(reply.headers["x-request-id"])}`])
        expect((await own.controlReply(path, {}, "GET")).status).toBe(409);
      const why = await own.controlReply(`/explain/${String(reply.headers["x-request-id"])}`, {}, "GET");
      expect([why.status, why.text]).toEqual([404, expect.stringContaining("without --no-exchanges")]);
    });
  });
});
