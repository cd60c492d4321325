import { describe, expect, test } from "vitest";
import type { SentCredentials } from "./authenticate.ts";
import { attempt, failureOf, openOrdersPath, right, someNonce } from "./testing/attempt.ts";
import { traderKeyId } from "./testing/sign.ts";
import { now, received, testVenue } from "./testing/venue.ts";

describe("a correctly signed request", () => {
  test("returns the caller, and the nonce to record", () => {
    const { authenticator } = testVenue();
    const screened = authenticator.screen(right());
    const verified = screened.ok ? authenticator.verify(screened.value, received(openOrdersPath)) : screened;
    expect(verified).toMatchObject({
      ok: true,
      value: {
        caller: { key: 0, keyId: traderKeyId, name: "trader", client: 0 },
        nonce: { key: 0, nonce: someNonce.replaceAll("-", ""), timestamp: now, receivedAt: now },
      },
    });
  });

  test("verifies over the bytes that were received, not over what they mean", () => {
    const venue = testVenue();
    const bodies = ['{"a":"A"}', '{ "a": "A" }', '{"a":"\\u0041"}', '{"a":"ü"}'];
    bodies.forEach((body, index) => {
      const nonce = someNonce.slice(0, -1) + index;
      const sent = right({ method: "POST", body, nonce });
      const other = Buffer.from(bodies[(index + 1) % bodies.length] ?? "");
      expect(attempt(venue, sent, received(openOrdersPath, { method: "POST", body: other }))).toBe(
        "INVALID_SIGNATURE",
      );
      expect(
        attempt(venue, sent, received(openOrdersPath, { method: "POST", body: Buffer.from(body) })),
      ).toBe("ok");
    });
  });

  test("belongs to a key with no client behind it as well", () => {
    expect(attempt(testVenue(), right({ keyId: "kid_orphan", secret: "a-fourth-secret" }))).toBe("ok");
  });
});

describe("the order of checks", () => {
  const everythingWrong: SentCredentials = {
    keyId: "kid_nobody",
    timestamp: "yesterday",
    nonce: "no-uuid",
    signature: "0".repeat(64),
    repeated: null,
  };
  const steps: readonly [string, Partial<SentCredentials>][] = [
    ["INVALID_TIMESTAMP", {}],
    ["INVALID_API_KEY", { timestamp: String(now - 60_000) }],
    ["TIMESTAMP_OUT_OF_WINDOW", { keyId: "kid_disabled" }],
    ["INVALID_NONCE", { timestamp: String(now) }],
    ["INVALID_SIGNATURE", { nonce: someNonce }],
    ["INVALID_API_KEY", right({ keyId: "kid_disabled", secret: "a-third-secret" })],
  ];

  test("is headers, timestamp syntax, key, window, nonce syntax, signature, key state, nonce", () => {
    const venue = testVenue();
    expect(attempt(venue, { ...everythingWrong, signature: "" })).toBe("MISSING_CREDENTIALS");
    let sent = everythingWrong;
    for (const [code, correction] of steps) {
      sent = { ...sent, ...correction };
      expect(attempt(venue, sent)).toBe(code);
    }
    venue.keyStates.set("kid_disabled", "enabled");
    expect(attempt(venue, sent)).toBe("ok");
    expect(attempt(venue, sent)).toBe("NONCE_REUSED");
  });

  test("finishes the first phase before the body is known", () => {
    const { authenticator } = testVenue();
    expect(authenticator.screen(everythingWrong).ok).toBe(false);
    expect(authenticator.screen(right({ secret: "wrong" })).ok).toBe(true);
  });
});

describe("each header", () => {
  test.each(["keyId", "timestamp", "nonce", "signature"] as const)(
    "%s is missing when it is empty",
    (name) => {
      const failure = failureOf(testVenue(), { ...right(), [name]: "" });
      expect(failure.code).toBe("MISSING_CREDENTIALS");
    },
  );

  test.each([
    ["X-API-KEY", "INVALID_API_KEY"],
    ["X-API-TIMESTAMP", "INVALID_TIMESTAMP"],
    ["X-API-NONCE", "INVALID_NONCE"],
    ["X-API-SIGNATURE", "INVALID_SIGNATURE"],
  ] as const)("%s counts once", (repeated, code) => {
    expect(failureOf(testVenue(), { ...right(), repeated }).code).toBe(code);
  });

  test.each([
    "17672256e5",
    "+1767225600000",
    " 1767225600000",
    "-1",
    "1767225600000.0",
    "2026-01-01T00:00:00Z",
    "1".repeat(17),
    "٣",
  ])("timestamp %s is refused", (timestamp) =>
    expect(attempt(testVenue(), right({ timestamp }))).toBe("INVALID_TIMESTAMP"),
  );

  test("a timestamp in seconds is read as milliseconds, and the answer says what it looks like", () => {
    const failure = failureOf(testVenue(), right({ timestamp: now / 1000 }));
    expect(failure.code).toBe("TIMESTAMP_OUT_OF_WINDOW");
    expect(failure.message).toContain("looks like seconds");
    expect(failureOf(testVenue(), right({ timestamp: `${now}000` })).message).toContain(
      "looks like microseconds",
    );
  });

  test.each([
    "",
    "x",
    someNonce.slice(1),
    `${someNonce} `,
    `{${someNonce}}`,
    someNonce.replaceAll("-", ""),
    `urn:uuid:${someNonce}`,
  ])("nonce %j is refused", (nonce) =>
    expect(attempt(testVenue(), right({ nonce }))).toMatch(/INVALID_NONCE|MISSING_CREDENTIALS/),
  );

  test("a nonce of any form may be allowed, and still counts once in either letter case", () => {
    const venue = testVenue({ nonceFormat: "any" });
    expect(attempt(venue, right({ nonce: "order-0001" }))).toBe("ok");
    expect(attempt(venue, right({ nonce: "ORDER-0001" }))).toBe("NONCE_REUSED");
    expect(attempt(venue, right({ nonce: "two words" }))).toBe("INVALID_NONCE");
  });

  test.each(["0", "f".repeat(63), "f".repeat(65), "g".repeat(64), "\u0010".repeat(64)])(
    "signature %j is refused",
    (signature) => {
      expect(attempt(testVenue(), { ...right(), signature })).toBe("INVALID_SIGNATURE");
    },
  );

  test("a signature in upper case verifies, unless lower case is demanded", () => {
    const loud = { ...right(), signature: right().signature.toUpperCase() };
    expect(attempt(testVenue(), loud)).toBe("ok");
    const failure = failureOf(testVenue({ strictHexCase: true }), loud);
    expect(failure.code).toBe("INVALID_SIGNATURE");
    expect(failure.message).toContain("upper-case hex");
    expect(attempt(testVenue({ strictHexCase: true }), right())).toBe("ok");
  });
});

test("the clock window is inclusive on both sides", () => {
  for (const [offset, outcome] of [
    [-30_001, "TIMESTAMP_OUT_OF_WINDOW"],
    [-30_000, "ok"],
    [30_000, "ok"],
    [30_001, "TIMESTAMP_OUT_OF_WINDOW"],
  ] as const) {
    expect(attempt(testVenue(), right({ timestamp: now + offset }))).toBe(outcome);
  }
});

test("a body that took longer than the window makes the request too old", () => {
  const venue = testVenue();
  const screened = venue.authenticator.screen(right());
  venue.clock.now += 30_001;
  const verified = screened.ok
    ? venue.authenticator.verify(screened.value, received(openOrdersPath))
    : screened;
  expect(verified).toMatchObject({ ok: false, error: { code: "TIMESTAMP_OUT_OF_WINDOW" } });
});

describe("a nonce", () => {
  test("is not used up by a request whose signature is wrong, nor by a disabled key", () => {
    const venue = testVenue();
    expect(attempt(venue, right({ secret: "wrong" }))).toBe("INVALID_SIGNATURE");
    expect(attempt(venue, right())).toBe("ok");
    expect(attempt(venue, right())).toBe("NONCE_REUSED");
    const disabled = right({ keyId: "kid_disabled", secret: "a-third-secret" });
    expect(attempt(venue, disabled)).toBe("INVALID_API_KEY");
    venue.keyStates.set("kid_disabled", "enabled");
    expect(attempt(venue, disabled)).toBe("ok");
  });

  test("is written down in lower case, however it was sent", () => {
    const { authenticator } = testVenue();
    const screened = authenticator.screen(right({ nonce: someNonce.toUpperCase() }));
    expect(screened).toMatchObject({ ok: true, value: { nonce: someNonce.replaceAll("-", "") } });
  });

  test("is the same in upper and lower case, and another one under another key", () => {
    const venue = testVenue();
    expect(attempt(venue, right())).toBe("ok");
    expect(attempt(venue, right({ nonce: someNonce.toUpperCase() }))).toBe("NONCE_REUSED");
    expect(attempt(venue, right({ timestamp: now + 1 }))).toBe("NONCE_REUSED");
    expect(attempt(venue, right({ keyId: "kid_reader", secret: "another-secret" }))).toBe("ok");
  });
});
