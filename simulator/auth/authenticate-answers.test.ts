import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { attempt, failureOf, openOrdersPath, right, someNonce } from "./testing/attempt.ts";
import { secret } from "./testing/sign.ts";
import { now, received, type TestVenue, testVenue } from "./testing/venue.ts";

describe("the signed path", () => {
  const target = `${openOrdersPath}?product=BTC-USD`;
  const outcomes = (signedPath: "path" | "path-and-query" | "either"): readonly string[] =>
    [openOrdersPath, target, "/order/open"].map((path) =>
      attempt(testVenue({ signedPath }), right({ path }), received(target)),
    );

  test("is the path alone, path and query, or either, as the venue is set", () => {
    expect(outcomes("path")).toEqual(["ok", "INVALID_SIGNATURE", "INVALID_SIGNATURE"]);
    expect(outcomes("path-and-query")).toEqual(["INVALID_SIGNATURE", "ok", "INVALID_SIGNATURE"]);
    expect(outcomes("either")).toEqual(["ok", "ok", "INVALID_SIGNATURE"]);
  });

  test("the answer names the other reading", () => {
    expect(failureOf(testVenue(), right({ path: target }), received(target)).message).toContain(
      "query string is included",
    );
    const strict = testVenue({ signedPath: "path-and-query" });
    expect(failureOf(strict, right(), received(target)).message).toContain("query string is left out");
  });
});

describe("a flood of wrong signatures", () => {
  const wrong = right({ path: `${openOrdersPath}?a=1` });
  const hintOf = (venue: TestVenue, body = new Uint8Array()): string =>
    String(failureOf(venue, wrong, received(`${openOrdersPath}?a=1`, { body })).details[0]?.["hint"]);
  const explanation = /query string is included/;
  const explainedOf = (venue: TestVenue, count: number): number =>
    Array.from({ length: count }, () => hintOf(venue)).filter((hint) => explanation.test(hint)).length;

  test("is explained a hundred times, and then twenty times a second", () => {
    const venue = testVenue();
    expect(explainedOf(venue, 500)).toBe(100);
    venue.clock.now += 1000;
    expect(explainedOf(venue, 500)).toBe(20);
    venue.clock.now += 6000;
    expect(explainedOf(venue, 500)).toBe(100);
    venue.clock.now -= 6000;
    expect(explainedOf(venue, 500)).toBe(0);
  });

  test("says if it was not searched, and still shows the expected text", () => {
    const venue = testVenue();
    explainedOf(venue, 100);
    const { code, message, details } = failureOf(venue, wrong, received(`${openOrdersPath}?a=1`));
    expect([code, message]).toEqual([
      "INVALID_SIGNATURE",
      expect.stringMatching(
        /At most 20 wrong signatures a second are searched for a mistake, and this one was not/,
      ),
    ]);
    expect(details[0]?.["expectedCanonical"]).toContain(openOrdersPath);
  });

  test("with long bodies is explained less often", () => {
    const venue = testVenue();
    const hints = Array.from({ length: 20 }, () => hintOf(venue, new Uint8Array(40_960)));
    expect(hints.filter((hint) => !hint.startsWith("At most"))).toHaveLength(9);
  });
});

describe("what a refusal tells", () => {
  test("is the text that was verified against, and neither secret nor signature", () => {
    const failure = failureOf(testVenue(), right({ path: "/order/open" }));
    const emptyHash = createHash("sha256").update("").digest("hex");
    expect(failure.details[0]).toMatchObject({
      check: "signature",
      expectedCanonical: [now, someNonce, "GET", openOrdersPath, "application/json", emptyHash].join("\n"),
    });
    const everything = JSON.stringify(failure);
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(right().signature);
  });

  test("is the same for every reason when diagnostics are off", () => {
    const venue = testVenue({ diagnostics: "off" });
    const sent = [
      { ...right(), nonce: "" },
      right({ keyId: "kid_nobody" }),
      right({ timestamp: "x" }),
      right({ timestamp: 1 }),
      right({ nonce: "x" }),
      right({ secret: "wrong" }),
      right({ keyId: "kid_disabled", secret: "a-third-secret" }),
    ];
    const shown = sent.map((each) => JSON.stringify(venue.authenticator.shown(failureOf(venue, each))));
    expect(new Set(shown)).toEqual(
      new Set(['{"code":"UNAUTHORIZED","message":"Unauthorized","details":[]}']),
    );
  });

  test("an unknown key goes the whole way when diagnostics are off, as a wrong signature does", () => {
    const venue = testVenue({ diagnostics: "off" });
    expect(venue.authenticator.screen(right({ keyId: "kid_nobody" })).ok).toBe(true);
    expect(attempt(venue, right({ keyId: "kid_nobody" }))).toBe("INVALID_API_KEY");
    expect(attempt(venue, right({ keyId: "kid_nobody", secret: "no key has this secret" }))).toBe(
      "INVALID_API_KEY",
    );
    expect(venue.nonces.size).toBe(0);
  });
});
