/** Limits, ids, settings and texts: the parts of the listener that need no socket. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorBody, errorHeaders, errorStatus, refusalOf, statusOf } from "./errors.ts";
import { guard } from "./guard.ts";
import { createRateLimit } from "./limits.ts";
import { createListener } from "./listener.ts";
import { defaultListenerSettings, guardSettings, isLoopback } from "./listener-settings.ts";
import { printable } from "./printable.ts";
import { headersOf } from "./received-headers.ts";
import { createRequestIds } from "./request-id.ts";
import { checkSearch, searchOf } from "./search.ts";

describe("a rate limit", () => {
  test("allows the burst, then the rate, and waiting as long as it says is enough", () => {
    let now = 0;
    const limit = createRateLimit({ perSecond: 25, burst: 50 }, () => now);
    for (let count = 0; count < 50; count += 1) expect(limit("a").refusal).toBeNull();
    const refused = limit("a");
    expect(refused).toMatchObject({
      refusal: { code: "RATE_LIMITED" },
      headers: { "retry-after": "1", "x-ratelimit-remaining": "0" },
    });
    expect(limit("b").refusal).toBeNull();
    now += 1000 * Number(refused.headers["retry-after"]);
    expect(limit("a").refusal).toBeNull();
    now += 10_000;
    expect(limit("a").headers["x-ratelimit-remaining"]).toBe("49");
  });

  test("says a whole number of seconds, at least one, and keeps its word", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 200, noNaN: true }),
        fc.integer({ min: 1, max: 50 }),
        (perSecond, burst) => {
          let now = 0;
          const limit = createRateLimit({ perSecond, burst }, () => now);
          for (let count = 0; count < burst; count += 1) limit("a");
          const { refusal, headers } = limit("a");
          expect(refusal?.code).toBe("RATE_LIMITED");
          expect(headers["retry-after"]).toMatch(/^[1-9][0-9]*$/);
          now += 1000 * Number(headers["retry-after"]);
          expect(limit("a").refusal).toBeNull();
        },
      ),
    );
  });

  test("survives a clock that goes back, and a hundred thousand names", () => {
    let now = 1000;
    const limit = createRateLimit({ perSecond: 1, burst: 2 }, () => now);
    limit("a");
    now = 0;
    expect(limit("a").refusal).toBeNull();
    expect(limit("a").refusal).not.toBeNull();
    for (let name = 0; name < 100_000; name += 1) limit(`n${name}`);
  });
});

describe("request ids", () => {
  test("are numbered, or the client's own", () => {
    const next = createRequestIds("r");
    expect([next(undefined), next("mine"), next(["a", "b"]), next("a\tb"), next("")]).toEqual([
      "r-00000001",
      "mine",
      "r-00000002",
      "r-00000003",
      "r-00000004",
    ]);
  });
});

describe("an error", () => {
  test("has the one shape, and its keys in the one order", () => {
    const refusal = {
      code: "VALIDATION_FAILED",
      message: "price is missing",
      details: [{ field: "price" }],
    } as const;
    const text = errorBody(refusal, { target: "/api/v1/trading/order?a=1", requestId: "r", now: 0 });
    expect(text).toBe(
      '{"statusCode":400,"success":false,"message":"price is missing","error":"Bad Request","code":"VALIDATION_FAILED",' +
        '"details":[{"field":"price"}],"timestamp":"1970-01-01T00:00:00.000Z","path":"/api/v1/trading/order","requestId":"r"}',
    );
  });

  test("has a status of HTTP, for every code", () => {
    for (const status of Object.values(errorStatus)) expect(status).toBeGreaterThanOrEqual(400);
    expect(statusOf({ code: "PRODUCT_NOT_FOUND", message: "", status: 404 })).toBe(404);
    expect(errorHeaders({ code: "INVALID_NONCE", message: "" })["www-authenticate"]).toContain("HMAC-SHA256");
    expect(errorHeaders({ code: "NOT_READY", message: "" })["retry-after"]).toBe("1");
    expect(errorHeaders({ code: "ROUTE_NOT_FOUND", message: "", close: true })["connection"]).toBe("close");
  });

  test("that was not expected is an internal error without details", () => {
    for (const thrown of [
      new Error("inside"),
      "inside",
      null,
      undefined,
      { statusCode: 500 },
      { statusCode: "404" },
    ]) {
      expect(refusalOf(thrown).code).toBe("INTERNAL_ERROR");
      expect(refusalOf(thrown).message).not.toContain("inside");
    }
    expect(statusOf(refusalOf({ statusCode: 418 }))).toBe(418);
  });
});

test("a request that is injected gets the same refusals", async () => {
  const { app } = createListener();
  const refused = await app.inject({
    method: "POST",
    url: "/a//b",
    headers: { host: "localhost" },
    payload: "x",
  });
  expect([refused.statusCode, refused.json().code]).toEqual([400, "INVALID_TARGET"]);
  const unknown = await app.inject({
    method: "POST",
    url: "/nowhere",
    headers: { host: "localhost" },
    payload: "x",
  });
  expect([unknown.statusCode, unknown.json().code]).toEqual([404, "ROUTE_NOT_FOUND"]);
  await app.close();
});

test("any text of a client is shown in printable ASCII", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(printable(text)).toMatch(/^[\x20-\x7e]*$/);
    }),
  );
  expect(printable("a\u001b[0m\u202eb")).toBe("a\\u{1b}[0m\\u{202e}b");
  expect(printable("x".repeat(200))).toHaveLength(123);
});

describe("the addresses that a listener answers to", () => {
  const hosts = (settings: object): ReadonlySet<string> | null =>
    guardSettings({ ...defaultListenerSettings, ...settings }).allowedHosts;

  test("are those of loopback and the configured ones, or all when bound to the network", () => {
    expect([...(hosts({}) ?? [])]).toEqual(["localhost", "127.0.0.1", "[::1]"]);
    expect(hosts({ host: "127.0.0.2" })?.has("127.0.0.2")).toBe(true);
    expect(hosts({ host: "0.0.0.0" })).toBeNull();
    expect([...(hosts({ host: "0.0.0.0", allowedHosts: ["Venue.Example"] }) ?? [])]).toContain(
      "venue.example",
    );
    expect(
      ["127.0.0.1", "::1", "localhost", "0.0.0.0", "10.0.0.1", "127.evil.example"].map(isLoopback),
    ).toEqual([true, true, true, false, false, false]);
  });
});

test("the guard accepts the requests of common clients", () => {
  const settings = guardSettings(defaultListenerSettings);
  const raw = [
    "Host",
    "localhost:8080",
    "User-Agent",
    "curl/8",
    "Accept",
    "*/*",
    "Content-Length",
    "2",
    "Expect",
    "100-continue",
  ];
  expect(
    guard(
      {
        version: "1.1",
        method: "POST",
        target: "/api/v1/trading/order?a=%20",
        headers: headersOf({ rawHeaders: raw }),
      },
      settings,
    ),
  ).toBeNull();
});

test("headers are read in any letter case, and the last of an odd list is not lost", () => {
  const headers = headersOf({
    rawHeaders: ["x-Api-kEY", "k", "HOST", "a", "host", "b", "X-API-NONCE", "1", "x-api-nonce", "2"],
  });
  expect(headers).toMatchObject({ host: "a", repeated: "host", count: 5 });
  expect(headers.credentials).toMatchObject({
    keyId: "k",
    nonce: "1",
    repeated: "X-API-NONCE",
    timestamp: "",
  });
});

describe("a query string", () => {
  test("is taken as it was sent", () => {
    expect([searchOf("/a"), searchOf("/a?"), searchOf("/a?b=c?d")]).toEqual(["", "", "b=c?d"]);
    for (const search of ["", "a=1&b=2", "a=%E2%82%AC", "a=b%2Cc", "t=2026-01-01T00:00:00%2B01:00"]) {
      expect(checkSearch(search)).toBeNull();
    }
  });

  test.each(["a=%", "a=%zz", "a=%ff", "a=%C0%80", "a=%00", "a=%0a", "%7f", "a&".repeat(65)])(
    "%s is refused",
    (search) => {
      expect(checkSearch(search)?.code).toBe("INVALID_QUERY");
    },
  );
});
