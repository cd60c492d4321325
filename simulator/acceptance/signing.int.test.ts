/** Rows 1 to 6 of the tricky behaviours: what is signed, and how long a nonce counts. */
import { describe, expect, test } from "vitest";
import { canonicalOf, type JsonObject, sha256 } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, startVenue, uuid, type Venue, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();

describe("1. raw-body hash", () => {
  /** The same order in bytes that differ. */
  const spellings = (order: JsonObject): readonly (readonly [string, string])[] => {
    const plain = JSON.stringify(order);
    return [
      ["blanks", JSON.stringify(order, null, 2)],
      ["blanks behind the end", `${plain} `],
      ["key order", JSON.stringify(Object.fromEntries(Object.entries(order).reverse()))],
      ["an escaped letter", plain.replace('"BUY"', '"\\u0042UY"')],
      ["text beyond ASCII", plain.replace("{", '{"note":"Größe 数量 €",')],
      ["the same text escaped", plain.replace("{", '{"note":"Gr\\u00f6\\u00dfe",')],
    ];
  };
  const names = spellings({}).map(([name]) => name);

  test.each(names)("signed over its own bytes it verifies: %s", async (name) => {
    const body = spellings(limitBuy()).find(([each]) => each === name)?.[1] ?? "";
    const reply = await venue().trader.place(body);
    expect([reply.status, reply.data["type"]]).toEqual([200, "NEW_ORDER"]);
  });

  test.each(names)("signed over the other's bytes it is 401: %s", async (name) => {
    const order = limitBuy();
    const sentBody = spellings(order).find(([each]) => each === name)?.[1] ?? "";
    const one = await venue().trader.place(order, { sentBody });
    const other = await venue().trader.place(sentBody, { sentBody: JSON.stringify(order) });
    expect([one.status, one.code, other.status, other.code]).toEqual([
      401,
      "INVALID_SIGNATURE",
      401,
      "INVALID_SIGNATURE",
    ]);
  });
});

describe("2. no trailing newline, six lines exactly", () => {
  test("the canonical string as the specification gives it verifies", async () => {
    expect((await venue().trader.get("/order/open")).status).toBe(200);
  });

  test.each<[string, (lines: string) => string]>([
    ["a newline behind it", (lines) => `${lines}\n`],
    ["carriage returns", (lines) => lines.replaceAll("\n", "\r\n")],
    ["the line of the empty body left out", (lines) => lines.slice(0, lines.lastIndexOf("\n"))],
    ["an empty line for the empty body", (lines) => lines.slice(0, lines.lastIndexOf("\n") + 1)],
    ["lines joined without a separator", (lines) => lines.replaceAll("\n", "")],
    ["a seventh line", (lines) => `${lines}\nX`],
  ])("signed with %s it is 401", async (_name, change) => {
    const reply = await venue().trader.get("/order/open", { canonical: (v) => change(canonicalOf(v)) });
    expect([reply.status, reply.code]).toEqual([401, "INVALID_SIGNATURE"]);
  });

  /** Signatures that were computed by another program. */
  test("the published vectors reproduce", async () => {
    const key = {
      name: "vector",
      keyId: "kid_local_trader",
      secret: "local-secret-do-not-use-in-production",
      client: "alice",
      claims: ["read:orders" as const, "write:orders" as const],
    };
    const options = { authClock: () => 1_767_225_600_000, world: quietWorld({}, { keys: [key] }) };
    await withVenue(options, async (running) => {
      const body =
        '{"side":"BUY","type":"LIMIT","base_quantity":"0.001","price":"25000.00","client_order_id":' +
        '"3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11","product":"BTC-USD"}';
      expect(sha256(body)).toBe("1f24b6863f2a5bee38e8cea70d6dc6a2a68368e73109879834b87a2e848ba769");
      const nonce = "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10";
      const post = running.as("vector").prepare("POST", "/order", { body, sign: { nonce } });
      expect(post.headers["X-API-SIGNATURE"]).toBe(
        "548e532fbedfe56bd3fa2ed85e454f983530bd5e8fe6fae7f5f29630603da2bc",
      );
      expect((await running.as("vector").send(post)).data["type"]).toBe("NEW_ORDER");
    });
    await withVenue(options, async (running) => {
      const get = running.as("vector").prepare("GET", "/order/open", {
        sign: { nonce: "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10" },
        query: "product=BTC-USD",
      });
      expect(get.headers["X-API-SIGNATURE"]).toBe(
        "3d8500ab37f515964e7b1fb64aea699d1bee5546a66ec8a6d8dc3dd13303d568",
      );
      expect((await running.as("vector").send(get)).status).toBe(200);
    });
  });
});

describe("3. query string", () => {
  const query = "product=BTC-USD";
  const statuses = async (running: Venue): Promise<number[]> => {
    const { trader } = running;
    const path = trader.pathOf("/order/open");
    const withQuery = { query, sign: { path: `${path}?${query}` } };
    return [
      (await trader.get("/order/open", { query })).status,
      (await trader.get("/order/open", withQuery)).status,
      (await trader.get("/order/open", { query, sign: { path: "/order/open" } })).status,
    ];
  };

  test.each([
    ["path", [200, 401, 401]],
    ["path-and-query", [401, 200, 401]],
    ["either", [200, 200, 401]],
  ] as const)("signedPath %s", async (signedPath, expected) => {
    await withVenue({ world: quietWorld({ auth: { signedPath } }) }, async (running) => {
      expect(await statuses(running)).toEqual(expected);
    });
  });

  test("the hint names the query", async () => {
    const path = `${venue().trader.pathOf("/order/open")}?${query}`;
    const reply = await venue().trader.get("/order/open", { query, sign: { path } });
    expect(String(reply.body["message"])).toMatch(/query/i);
  });
});

describe("4. bodyless requests", () => {
  const order = async (): Promise<string> => String((await venue().placed(limitBuy()))["id"]);

  test("DELETE with Content-Type and no body cancels", async () => {
    expect((await venue().trader.delete(`/order/${await order()}`)).status).toBe(200);
  });

  test("DELETE without Content-Type cancels, line 5 being application/json all the same", async () => {
    const headers = { "Content-Type": undefined };
    expect((await venue().trader.delete(`/order/${await order()}`, { headers })).status).toBe(200);
    expect((await venue().trader.get("/order/open", { headers })).status).toBe(200);
  });

  test("an empty line 5 is 401", async () => {
    const headers = { "Content-Type": undefined };
    const reply = await venue().trader.get("/order/open", { headers, sign: { contentType: "" } });
    expect(reply.status).toBe(401);
  });

  test("parameters of Content-Type on POST do not change line 5", async () => {
    const headers = { "Content-Type": "application/json; charset=utf-8" };
    expect((await venue().trader.place(limitBuy(), { headers })).status).toBe(200);
    const signedAsSent = { headers, sign: { contentType: "application/json; charset=utf-8" } };
    expect((await venue().trader.place(limitBuy(), signedAsSent)).status).toBe(401);
  });
});

describe("5. a nonce is burnt by verified requests only, and by all of them", () => {
  test("a wrong signature does not consume its nonce", async () => {
    const sign = { nonce: uuid() };
    const wrong = { sign, secret: "sandbox-only-secret-of-nobody" };
    expect((await venue().trader.get("/order/open", wrong)).status).toBe(401);
    expect((await venue().trader.get("/order/open", { sign })).status).toBe(200);
    expect((await venue().trader.get("/order/open", { sign })).code).toBe("NONCE_REUSED");
  });

  test.each([
    ["400", "POST", "/order", 400],
    ["403", "POST", "/wallet/deposit-address", 403],
    ["404", "GET", `/order/${uuid()}`, 404],
  ] as const)("a verified request that ends %s consumes it", async (_name, method, route, status) => {
    const client = venue().as(status === 403 ? "write-orders" : "trader");
    const options = { sign: { nonce: uuid() }, body: method === "POST" ? {} : undefined };
    expect((await client.request(method, route, options)).status).toBe(status);
    expect((await client.get("/order/open", { sign: options.sign })).code).toBe("NONCE_REUSED");
  });

  test("the same nonce under two keys is fine", async () => {
    const sign = { nonce: uuid() };
    expect((await venue().trader.get("/order/open", { sign })).status).toBe(200);
    expect((await venue().as("other").get("/order/open", { sign })).status).toBe(200);
    // Nonces belong to keys, not to clients: `reader` is another key of the same client.
    expect((await venue().as("reader").get("/order/open", { sign })).status).toBe(200);
  });

  test("upper and lower case of one UUID are one nonce", async () => {
    const nonce = uuid();
    expect((await venue().trader.get("/order/open", { sign: { nonce } })).status).toBe(200);
    const upper = { sign: { nonce: nonce.toUpperCase() } };
    expect((await venue().trader.get("/order/open", upper)).code).toBe("NONCE_REUSED");
  });

  test("of many requests with one nonce at once, one is served", async () => {
    const sign = { nonce: uuid() };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => venue().trader.get("/order/open", { sign })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ code }) => code === "NONCE_REUSED")).toHaveLength(19);
  });
});

describe("6. nonce retention covers the window twice", () => {
  const window = 30_000;

  test("a request of any age is never accepted a second time", async () => {
    let now = 1_800_000_000_000;
    const running = await startVenue({ authClock: () => now });
    const stamped = now + window - 1;
    const { trader } = running;
    const request = trader.prepare("GET", "/order/open", { sign: { timestamp: String(stamped) } });
    expect((await trader.send(request)).status).toBe(200);
    const codes: string[] = [];
    // The last instant at which its timestamp is inside the window is 2 x window - 1 ms after its receipt.
    for (const later of [
      0,
      1,
      window,
      2 * window - 2,
      2 * window - 1,
      2 * window,
      299_999,
      300_001,
      900_000,
    ]) {
      now = stamped - window + 1 + later;
      codes.push((await trader.send(request)).code);
    }
    const reused = Array.from({ length: 5 }, () => "NONCE_REUSED");
    const stale = Array.from({ length: 4 }, () => "TIMESTAMP_OUT_OF_WINDOW");
    expect(codes).toEqual([...reused, ...stale]);
    await running.close();
  });

  test("both edges of the window are inclusive", async () => {
    const now = 1_800_000_000_000;
    await withVenue({ authClock: () => now }, async ({ trader }) => {
      const at = async (offset: number): Promise<string> => {
        const reply = await trader.get("/order/open", { sign: { timestamp: String(now + offset) } });
        return reply.status === 200 ? "200" : reply.code;
      };
      expect([await at(-window), await at(window)]).toEqual(["200", "200"]);
      expect([await at(-window - 1), await at(window + 1)]).toEqual([
        "TIMESTAMP_OUT_OF_WINDOW",
        "TIMESTAMP_OUT_OF_WINDOW",
      ]);
    });
  });

  test("moving the market clock makes no signature stale", async () => {
    await venue().advance(24 * 3600 * 1000);
    expect((await venue().trader.get("/order/open")).status).toBe(200);
  });
});
