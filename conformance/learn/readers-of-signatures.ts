/** Freedoms of signatures, nonces and clocks, and of who may do what. */
import { maskedText } from "./masked-text.ts";
import { isNew, isOk, isRefused, isRepeat, reader, result, status, untold } from "./reader.ts";
import type { Between, Reader, Sample } from "./sighting.ts";

/** A signature that was looked at: the request went further than 401. */
const isVerified = (sample: Sample): boolean => isOk(sample) || isRefused(sample);
const isUnauthorised = (sample: Sample): boolean => status(sample) === 401;

/** Windows that are tried, with half a second on either side; a window between two of them stays unknown. */
export const windows = [1000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000] as const;
export const marginMs = 500;

const windowIn = (between: Between | undefined): number | undefined =>
  between === undefined
    ? undefined
    : windows.find((one) => between.low >= one - marginMs && between.high <= one + marginMs);

const onlyOneVerifies = (one: Sample, other: Sample, names: readonly [string, string]) => {
  if (isVerified(one) && isUnauthorised(other)) return names[0];
  if (isVerified(other) && isUnauthorised(one)) return names[1];
  return untold("the two signatures show no difference");
};

export const readersOfSignatures: readonly Reader[] = [
  reader(
    "F-signed-path",
    ["query: path signed", "query: path and query signed", "query: signature broken"],
    (path, both, broken) => {
      if (!isUnauthorised(broken)) return untold("a broken signature is not refused with 401 here");
      if (isVerified(path) && isVerified(both)) return "either";
      return onlyOneVerifies(path, both, ["path", "path-and-query"]);
    },
  ),
  reader(
    "F-unknown-query",
    ["query: path signed", "query: path and query signed", "query: signature broken"],
    (path, both, broken) => {
      if (!isUnauthorised(broken)) return untold("a broken signature is not refused with 401 here");
      const looked = [path, both].filter(isVerified);
      if (looked.length > 0 && looked.every(isOk)) return "ignore";
      return looked.length > 0 && looked.every((one) => status(one) === 400)
        ? "reject"
        : untold("no signature of a request with a query was accepted");
    },
  ),
  reader("F-clock-window", ["clock: behind", "clock: ahead"], (behind, ahead) => {
    const [past, future] = [windowIn(behind.between), windowIn(ahead.between)];
    return past !== undefined && past === future
      ? String(past)
      : untold("the limit is none of those that are tried, or differs between past and future");
  }),
  reader(
    "F-timestamp-syntax",
    ["timestamp: a zero before it", "timestamp: in seconds", "timestamp: as ISO text", "get: signed"],
    (zero, seconds, iso, signed) => {
      if (!isOk(signed)) return untold("the plain request was refused");
      if (isOk(seconds) && isOk(iso)) return "flexible";
      if (isOk(seconds) || isOk(iso))
        return untold("one of seconds and ISO text is accepted, and not the other");
      if (isOk(zero)) return "digits-1-16";
      return isUnauthorised(zero) || status(zero) === 400
        ? "digits-13"
        : untold("another answer than expected");
    },
  ),
  reader(
    "F-nonce-format",
    ["nonce: plain text", "nonce: UUID of version 1 in capitals", "get: signed"],
    (text, uuid, signed) => {
      if (!isOk(signed)) return untold("the plain request was refused");
      if (isOk(text)) return "any";
      const isUuidOnly = isOk(uuid) && [400, 401].includes(status(text));
      return isUuidOnly ? "uuid" : untold("a UUID of another version is refused, too");
    },
  ),
  reader("F-nonce-reuse-status", ["nonce: first use", "nonce: second use"], (first, second) => {
    if (!isOk(first)) return untold("the first use was refused");
    return [400, 401, 403, 409].includes(status(second))
      ? String(status(second))
      : untold("a used nonce is answered in no way of the register");
  }),
  reader(
    "F-nonce-consumption",
    ["nonce: with a broken signature", "nonce: again, signed", "nonce: first use", "nonce: second use"],
    (broken, again, first, second) => {
      if (!isUnauthorised(broken) || !isOk(first))
        return untold("the first of the two requests shows nothing");
      if (isOk(again)) return "verified";
      return status(again) === status(second) ? "every" : untold("another refusal than that of a used nonce");
    },
  ),
  {
    freedom: "F-nonce-scope",
    read: (round) => [
      ...reader(
        "F-nonce-scope",
        ["nonce-scope: trader", "nonce-scope: another key of the client"],
        (trader, second) =>
          isOk(trader) && isOk(second)
            ? "key"
            : untold("other keys of the client share it; whether all do is open"),
      ).read(round),
      ...reader(
        "F-nonce-scope",
        ["nonce-scope: trader", "nonce-scope: another key of the client", "nonce-scope: another client"],
        (trader, second, other) => {
          if (!isOk(trader) || isOk(second)) return untold("the key of the same client decides");
          return isOk(other) ? "client" : "global";
        },
      ).read(round),
    ],
  },
  reader("F-content-type-header", ["get: signed", "get: without Content-Type"], (signed, without) => {
    if (!isOk(signed)) return untold("the plain request was refused");
    if (isOk(without)) return "optional-without-body";
    return [400, 401, 406, 415].includes(status(without)) ? "always" : untold("another answer than expected");
  }),
  reader(
    "F-content-type-line",
    [
      "get: Content-Type with a parameter, constant signed",
      "get: Content-Type with a parameter, signed as sent",
    ],
    (constant, asSent) => onlyOneVerifies(constant, asSent, ["literal", "as-sent"]),
  ),
  reader(
    "F-body-hash-input",
    ["empty: with a space, its bytes signed", "empty: with a space, signed without it"],
    (bytes, printed) => onlyOneVerifies(bytes, printed, ["raw", "reserialised"]),
  ),
  reader("F-signature-case", ["get: signed", "get: signature in capitals"], (signed, capitals) => {
    if (!isOk(signed)) return untold("the plain request was refused");
    if (isOk(capitals)) return "insensitive";
    return isUnauthorised(capitals) ? "lower-only" : untold("another answer than expected");
  }),
  reader(
    "F-auth-diagnostics",
    ["get: signature broken", "get: key unknown", "get: an hour ago"],
    (...refusals) => {
      if (!refusals.every(isUnauthorised)) return untold("not all of them are refused with 401");
      const texts = new Set(refusals.map(({ exchange }) => maskedText(exchange)));
      if (texts.size === 1) return "uniform";
      return texts.size === refusals.length
        ? "explain"
        : untold("some causes have the same text, and others do not");
    },
  ),
  reader("F-check-order", ["empty: signature broken"], (broken) => {
    if (isUnauthorised(broken)) return "authentication-first";
    return status(broken) === 400 ? "validation-first" : untold("another answer than expected");
  }),
  reader("F-unknown-route", ["routes: unknown, without credentials"], (unknown) => {
    if (status(unknown) === 404) return "before-authentication";
    return isUnauthorised(unknown) ? "after-authentication" : untold("another answer than expected");
  }),
  reader("F-trailing-slash", ["get: signed", "routes: slash at the end"], (signed, slash) => {
    if (!isOk(signed)) return untold("the plain request was refused");
    if (isOk(slash)) return "same";
    return status(slash) === 404 ? "different" : untold("another answer than expected");
  }),
  reader("F-missing-claim-status", ["claims: read", "claims: place without the claim"], (read, place) =>
    isOk(read) && [401, 403].includes(status(place))
      ? String(status(place))
      : untold("the key cannot read, or its order was looked at"),
  ),
  reader("F-product-list-protection", ["products: signed", "products: anonymous"], (signed, anonymous) => {
    if (!isOk(signed)) return untold("the list was refused");
    if (isOk(anonymous)) return "public";
    return [401, 403].includes(status(anonymous)) ? "protected" : untold("another answer than expected");
  }),
  reader("F-client-record-missing", ["orphan: read", "orphan: place"], (read, place) => {
    if (isUnauthorised(read) && isUnauthorised(place)) return "unauthorised";
    return isOk(read) && result(place) === "CLIENT_NOT_FOUND"
      ? "placing-only"
      : untold("another answer than expected");
  }),
  {
    freedom: "F-idempotency-scope",
    read: (round) => [
      ...reader(
        "F-idempotency-scope",
        ["scope: trader", "scope: another key of the client"],
        (trader, second) =>
          isNew(trader) && isNew(second)
            ? "key"
            : untold("other keys of the client share it; whether all do is open"),
      ).read(round),
      ...reader(
        "F-idempotency-scope",
        ["scope: trader", "scope: another key of the client", "scope: another client"],
        (trader, second, other) => {
          if (!isNew(trader) || !isRepeat(second)) return untold("the key of the same client decides");
          if (isNew(other)) return "client";
          return isRefused(other) || isRepeat(other) ? "global" : untold("another answer than expected");
        },
      ).read(round),
    ],
  },
  reader(
    "F-order-visibility",
    ["scope: read by its key", "scope: read by another key of the client"],
    (own, second) => {
      if (!isOk(own)) return untold("the key that placed the order cannot read it");
      if (isOk(second)) return "client";
      return status(second) === 404 ? "key" : untold("another answer than expected");
    },
  ),
  reader(
    "F-foreign-order-answer",
    ["scope: read by its key", "scope: read by another client"],
    (own, other) => {
      if (!isOk(own)) return untold("the key that placed the order cannot read it");
      if (status(other) === 404) return "not-found";
      return status(other) === 403 ? "forbidden" : untold("another answer than expected");
    },
  ),
];
