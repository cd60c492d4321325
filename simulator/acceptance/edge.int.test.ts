/** Row 32 of the tricky behaviours, and the edge around every answer: health, headers, limits of the world. */
import { describe, expect, test } from "vitest";
import {
  asObject,
  type JsonObject,
  listIn,
  parseRaw,
  type Reply,
  rawText,
  sendRaw,
} from "../testing/client.ts";
import { problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, outcomeOf, uuid, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("32. 429 does nothing", () => {
  const limited = quietWorld({ rateLimit: { enabled: true, requestsPerSecond: 1, burst: 3 } });

  test("no order, no id consumed; Retry-After is an integer from 1, and waiting that long suffices", async () => {
    await withWorld({ world: limited }, async (running) => {
      const order = limitBuy();
      // On a machine with much to do, a second may go by before the bucket is empty.
      await expect
        .poll(async () => (await running.trader.get("/order/open")).status, { interval: 1 })
        .toBe(429);
      const refused = await running.trader.place(order);
      expect([refused.status, refused.code]).toEqual([429, "RATE_LIMITED"]);
      const retryAfter = String(refused.headers["retry-after"]);
      expect(retryAfter).toMatch(/^[1-9][0-9]*$/);
      await sleep(Number(retryAfter) * 1000);
      // Also across keys of the account: the order is new, so the refused request left nothing.
      expect(outcomeOf(await running.trader.place(order))).toBe("NEW_ORDER");
    });
  });

  test("the nonce of a request that was verified and then limited is used up", async () => {
    await withWorld({ world: limited }, async (running) => {
      const nonces = Array.from({ length: 4 }, uuid);
      const statuses: number[] = [];
      for (const nonce of nonces)
        statuses.push((await running.trader.get("/order/open", { sign: { nonce } })).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
      const again = await running.trader.get("/order/open", { sign: { nonce: nonces[3] ?? "" } });
      expect(again.code).toBe("NONCE_REUSED");
    });
  });

  test("a limited answer and every other tells limit, what remains and when it is full again", async () => {
    await withWorld({ world: limited }, async (running) => {
      const headersOf = ({ headers }: Reply): unknown[] =>
        ["limit", "remaining", "reset"].map((name) => headers[`x-ratelimit-${name}`]);
      expect(headersOf(await running.trader.get("/order/open"))).toEqual(["3", "2", "1"]);
      expect(headersOf(await running.trader.get("/order/open"))).toEqual(["3", "1", "2"]);
      expect(headersOf(await running.trader.get("/order/open"))).toEqual(["3", "0", "3"]);
      expect(headersOf(await running.trader.get("/order/open"))).toEqual(["3", "0", "3"]);
    });
  });

  test("keys have buckets of their own, and a wrong signature takes nothing out of them", async () => {
    await withWorld({ world: limited }, async (running) => {
      for (let count = 0; count < 5; count++) {
        const reply = await running.trader.get("/order/open", { secret: "another-secret-0" });
        expect(reply.status).toBe(401);
      }
      expect((await running.trader.get("/order/open")).status).toBe(200);
      expect((await running.as("reader").get("/order/open")).headers["x-ratelimit-remaining"]).toBe("2");
    });
  });

  test("an address is limited before anything of it is looked at; health is not", async () => {
    const world = quietWorld({ rateLimit: { enabled: true, addressRequestsPerSecond: 4 } });
    await withVenue({ world }, async (running) => {
      const codes: string[] = [];
      for (let count = 0; count < 30; count++) codes.push((await running.open("/order/open")).code);
      expect(codes.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => "MISSING_CREDENTIALS"));
      expect(new Set(codes)).toEqual(new Set(["MISSING_CREDENTIALS", "RATE_LIMITED"]));
      for (let count = 0; count < 10; count++) expect((await running.open("/health/live")).status).toBe(200);
    });
  });

  test("the settings of the account tell the rate in force, or none", async () => {
    await withWorld({ world: limited }, async (running) => {
      const settings = (await running.trader.get("/account/settings")).data;
      expect(settings["rateLimit"]).toEqual({ requestsPerSecond: 1, burst: 3 });
    });
    expect((await venue().trader.get("/account/settings")).data["rateLimit"]).toBeNull();
    expect((await venue().trader.get("/order/open")).headers["x-ratelimit-limit"]).toBeUndefined();
  });
});

describe("health", () => {
  test.each(["/health/live", "/health/ready"])("%s answers unsigned, enveloped and closed", async (route) => {
    const reply = await venue().open(route);
    expect(reply.status).toBe(200);
    expect(problemsIn("Envelope", reply.body)).toEqual([]);
    expect(problemsIn("Health", reply.data)).toEqual([]);
    expect(reply.data).toMatchObject({ status: "ok", error: {}, version: "1.0" });
    expect(reply.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(reply.headers["cache-control"]).toBe("no-store");
  });

  test("serverTime is the clock that signatures are held against, not the market's", async () => {
    const authClock = (): number => 1_800_000_000_000;
    await withVenue({ authClock }, async (running) => {
      await running.advance(3_600_000);
      expect((await running.open("/health/live")).data["serverTime"]).toBe("2027-01-15T08:00:00.000Z");
    });
  });

  test("on a fresh venue serverTime is now", async () => {
    const { serverTime } = (await venue().open("/health/live")).data;
    expect(Math.abs(Date.parse(String(serverTime)) - Date.now())).toBeLessThan(5000);
  });

  test("signed all the same it is served", async () => {
    expect((await venue().trader.get("/health/ready")).status).toBe(200);
  });

  test("the control surface tells version, seed, sequence number and chain hash without a token", async () => {
    const { control } = venue().simulator;
    const reply = await venue().controlReply("/health", {}, "GET", "no token needed");
    expect([control === null, reply.status]).toEqual([false, 200]);
    expect(reply.data).toMatchObject({
      version: "0.1.0",
      seed: 1,
      mode: "running",
      clock: "manual",
      trouble: null,
    });
    expect(String(reply.data["hash"])).toMatch(/^[0-9a-f]{32,64}$/);
    expect(reply.data["seq"]).toEqual(expect.any(Number));
  });
});

describe("headers of every answer", () => {
  const routes: readonly (readonly [string, (running: Venue) => Promise<Reply>])[] = [
    ["a read", ({ trader }) => trader.get("/product")],
    ["an order", ({ trader }) => trader.place(limitBuy())],
    ["a refused order", ({ trader }) => trader.place({})],
    ["a 401", (running) => running.open("/order/open")],
    ["a 404", ({ trader }) => trader.get("/nothing")],
    ["health", (running) => running.open("/health/live")],
  ];

  test.each(routes)("%s: JSON in UTF-8, not stored, with version, id and Date", async (_name, call) => {
    const { headers } = await call(venue());
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["x-api-version"]).toBe("1.0");
    expect(String(headers["x-request-id"])).toMatch(/^[\w-]+$/);
    expect(Math.abs(Date.parse(String(headers["date"])) - Date.now())).toBeLessThan(5000);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
    expect(headers["x-powered-by"]).toBeUndefined();
    expect(headers["server"]).toBeUndefined();
  });

  test.each(routes.slice(0, 3))("%s echoes a valid X-Request-Id", async (name) => {
    const id = `case-${name.replaceAll(" ", "-")}.1:x_y`;
    const reply = await venue().trader.place({}, { headers: { "X-Request-Id": id } });
    expect([reply.headers["x-request-id"], reply.body["requestId"]]).toEqual([id, id]);
  });

  test.each([
    ["too long", "x".repeat(65)],
    ["with blanks", "a b"],
    ["with markup", "<b>"],
    ["empty", ""],
  ])("an X-Request-Id that is %s is not echoed", async (_name, id) => {
    const reply = await venue().trader.get("/nothing", { headers: { "X-Request-Id": id } });
    expect(reply.headers["x-request-id"]).not.toBe(id);
    expect(String(reply.headers["x-request-id"])).toMatch(/^req-[0-9]+$/);
    expect(reply.body["requestId"]).toBe(reply.headers["x-request-id"]);
  });

  test("an X-Request-Id that comes twice is refused or not echoed", async () => {
    const prepared = venue().trader.prepare("GET", "/nothing", { headers: { "X-Request-Id": ["a", "b"] } });
    const reply = parseRaw(await sendRaw(venue().baseUrl, rawText(venue().baseUrl, prepared)));
    expect(["a", "b", "a, b"]).not.toContain(reply.headers["x-request-id"]);
  });
});

describe("limits that a world sets are kept", () => {
  const world = quietWorld({
    validation: { unknownQuery: "ignore" },
    limits: { bodyBytes: 1024, urlBytes: 300 },
  });
  const padded = (bytes: number): string => {
    const order = JSON.stringify(limitBuy());
    return order.replace("{", `{"note":"${"x".repeat(bytes - order.length - 10)}",`);
  };

  test("bodyBytes: the largest body is read, one byte more is 413", async () => {
    await withVenue({ world }, async (running) => {
      expect(padded(1024)).toHaveLength(1024);
      expect(outcomeOf(await running.trader.place(padded(1024)))).toBe("NEW_ORDER");
      expect((await running.trader.place(padded(1025))).status).toBe(413);
    });
  });

  test("bodyBytes: a chunked body is measured as it comes", async () => {
    await withVenue({ world }, async (running) => {
      const body = padded(2000);
      const prepared = running.trader.prepare("POST", "/order", {
        body,
        headers: { "Content-Length": undefined, "Transfer-Encoding": "chunked" },
      });
      const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const text = rawText(running.baseUrl, { ...prepared, body: chunked });
      expect(parseRaw(await sendRaw(running.baseUrl, text)).status).toBe(413);
    });
  });

  test("urlBytes may be longer than all headers together", async () => {
    await withVenue(
      { world: quietWorld({ validation: { unknownQuery: "ignore" }, limits: { urlBytes: 65_536 } }) },
      async (running) => {
        const query = `note=${"x".repeat(60_000)}`;
        expect((await running.trader.get("/order/open", { query })).status).toBe(200);
      },
    );
  });

  test("requestTimeoutMs below headersTimeoutMs: a start, or a sentence that says why not", async () => {
    const short = quietWorld({ limits: { requestTimeoutMs: 1000 } });
    await withVenue({ world: short }, async (running) => {
      expect((await running.trader.get("/order/open")).status).toBe(200);
    });
  });

  test("urlBytes: the longest target is read, one byte more is 414", async () => {
    await withVenue({ world }, async (running) => {
      const path = running.trader.pathOf("/order/open");
      const query = (bytes: number): string => `note=${"x".repeat(bytes - path.length - 6)}`;
      expect((await running.trader.get("/order/open", { query: query(300) })).status).toBe(200);
      const reply = await running.trader.get("/order/open", { query: query(301) });
      expect([reply.status, reply.code]).toEqual([414, "URI_TOO_LONG"]);
    });
  });
});

describe("settings of authentication that a world sets are kept", () => {
  test("requireContentTypeAlways: a GET without Content-Type is 415", async () => {
    await withWorld(
      { world: quietWorld({ auth: { requireContentTypeAlways: true } }) },
      async ({ trader }) => {
        const headers = { "Content-Type": undefined };
        expect((await trader.get("/order/open", { headers })).status).toBe(415);
        expect((await trader.get("/order/open")).status).toBe(200);
      },
    );
  });

  test("strictHexCase: an upper-case signature is 401, by default it is served", async () => {
    const upper = async ({ trader }: Venue): Promise<number> => {
      const prepared = trader.prepare("GET", "/order/open");
      const signature = String(prepared.headers["X-API-SIGNATURE"]).toUpperCase();
      return (
        await trader.send({ ...prepared, headers: { ...prepared.headers, "X-API-SIGNATURE": signature } })
      ).status;
    };
    expect(await upper(venue())).toBe(200);
    await withWorld({ world: quietWorld({ auth: { strictHexCase: true } }) }, async (running) => {
      expect(await upper(running)).toBe(401);
    });
  });

  test("nonceFormat any: a text that is no UUID counts as a nonce, once", async () => {
    await withWorld({ world: quietWorld({ auth: { nonceFormat: "any" } }) }, async ({ trader }) => {
      const sign = { nonce: "order-number-7" };
      expect((await trader.get("/order/open", { sign })).status).toBe(200);
      expect((await trader.get("/order/open", { sign })).code).toBe("NONCE_REUSED");
    });
  });

  test("clockWindowMs: a narrow window is narrow", async () => {
    await withWorld({ world: quietWorld({ auth: { clockWindowMs: 1000 } }) }, async ({ trader }) => {
      const sign = { timestamp: String(Date.now() - 5000) };
      const reply = await trader.get("/order/open", { sign });
      expect(reply.code).toBe("TIMESTAMP_OUT_OF_WINDOW");
      expect(asObject(listIn(reply.body["details"])[0])).toMatchObject({
        windowMs: 1000,
      } satisfies JsonObject);
    });
  });
});
