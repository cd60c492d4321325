/**
 * The behaviour of the second gateways at each freedom that learn can tell, read from their own source. A freedom that is not
 * here fits none of its options there, or does not exist there: then the only right thing to say is `unknown`.
 */
import type { Way } from "../../conformance/testing/faulty-gateway/defects.ts";
import type { Variation } from "../../conformance/testing/legal-gateway/variations.ts";

export type Truth = Readonly<Record<string, string>>;

/** The same in all three. */
const common: Truth = {
  "F-nonce-reuse-status": "401",
  "F-nonce-consumption": "verified",
  "F-nonce-scope": "key",
  "F-content-type-header": "optional-without-body",
  "F-content-type-line": "literal",
  "F-body-hash-input": "raw",
  "F-signature-case": "lower-only",
  "F-check-order": "authentication-first",
  "F-trailing-slash": "different",
  "F-missing-claim-status": "403",
  "F-product-list-protection": "protected",
  "F-idempotency-scope": "client",
  "F-synced-on-new": "false",
  "F-sync-delay": "0",
  "F-open-orders-lag": "none",
  "F-replay-state": "current",
  "F-decimal-number-tokens": "refuse",
  "F-ignored-field-syntax": "ignore",
  "F-enum-case": "exact",
  "F-product-case": "exact",
  "F-client-order-id-version": "v4-only",
  "F-unplaceable-types": "refuse",
  "F-duplicate-different-body": "replay",
  "F-duplicate-with-invalid-body": "invalid",
  "F-refused-id-free": "free",
  "F-unauthenticated-id-free": "free",
  "F-new-order-message": "absent",
  "F-order-times": "shown",
  "F-envelope-optional-keys": "when-useful",
  "F-unknown-query": "ignore",
  "F-answer-delay": "none",
};

const legal: Truth = {
  ...common,
  "F-signed-path": "path",
  "F-clock-window": "300000",
  "F-timestamp-syntax": "digits-13",
  "F-nonce-format": "any",
  "F-auth-diagnostics": "uniform",
  "F-unknown-route": "after-authentication",
  "F-initial-status": "PENDING",
  "F-client-order-id-case": "insensitive",
  "F-cancel-operation": "delete",
  "F-cancel-finished": "404",
  "F-unknown-request-fields": "reject",
  "F-unknown-product": "404",
  "F-decimal-input": "plain",
  "F-success-on-failed-outcome": "true",
  "F-timestamp-output": "other",
  "F-order-null-fields": "left-out",
  "F-external-id-shape": "object",
  "F-extra-response-fields": "additive",
  "F-json-layout": "indented",
  "F-connection-reuse": "closed",
  "F-open-orders-shape": "object",
  "F-size-field-shape": "object",
  "F-product-order": "unsorted",
  "F-error-codes": "none",
};

/** `-`: fits no option. */
const legalVariations: Readonly<Partial<Record<Variation, Truth>>> = {
  "keeps-connections": { "F-connection-reuse": "kept" },
  "repeats-the-first-answer": { "F-replay-state": "frozen" },
  "lists-late": { "F-open-orders-lag": "-", "F-sync-delay": "-" },
  "writes-ids-in-lower-case": { "F-client-order-id-case": "lower-cased" },
  "hides-what-may-be-left-out": {
    "F-timestamp-output": "-",
    "F-order-times": "left-out",
    "F-external-id-shape": "-",
    "F-extra-response-fields": "-",
  },
  "lets-the-query-be-signed": { "F-signed-path": "either" },
  "asks-for-a-uuid-as-nonce": { "F-nonce-format": "uuid" },
  "looks-at-the-clock-closely": { "F-clock-window": "5000" },
};

export function legalTruth(variations: readonly Variation[], errors: "json" | "problem" | "text"): Truth {
  const varied = variations.map((one) => legalVariations[one] ?? {});
  const ofErrors: Truth =
    errors === "json"
      ? {}
      : {
          "F-error-body": errors === "text" ? "plain-text" : "problem",
          ...(errors === "text" ? { "F-error-codes": "none" } : {}),
        };
  return Object.assign({}, legal, ofErrors, ...varied) as Truth;
}

const faulty: Truth = {
  ...common,
  "F-signed-path": "path",
  "F-clock-window": "30000",
  "F-timestamp-syntax": "digits-1-16",
  "F-nonce-format": "any",
  "F-auth-diagnostics": "uniform",
  "F-unknown-route": "after-authentication",
  "F-order-visibility": "client",
  "F-foreign-order-answer": "not-found",
  "F-initial-status": "OPEN",
  "F-client-order-id-case": "sensitive",
  "F-cancel-mode": "synchronous",
  "F-cancel-operation": "delete",
  "F-cancel-finished": "400",
  "F-unknown-request-fields": "ignore",
  "F-unknown-product": "400",
  "F-decimal-input": "plain",
  "F-timestamp-output": "milliseconds-utc",
  "F-order-null-fields": "null",
  "F-external-id-shape": "string",
  "F-time-in-force": "null",
  "F-zero-fill-values": "zero",
  "F-extra-response-fields": "closed",
  "F-json-layout": "compact",
  "F-connection-reuse": "kept",
  "F-open-orders-shape": "array",
  "F-size-field-shape": "string",
  "F-order-book-record": "named-levels",
  "F-error-body": "mirrored",
  "F-error-codes": "none",
};

const faultyWays: Readonly<Partial<Record<Way, Truth>>> = {
  "frozen-replays": { "F-replay-state": "frozen" },
  "reads-late": { "F-open-orders-lag": "-", "F-sync-delay": "-" },
  "cancels-later": { "F-cancel-mode": "asynchronous" },
};

export const faultyTruth = (ways: readonly Way[]): Truth =>
  Object.assign({}, faulty, ...ways.map((way) => faultyWays[way] ?? {})) as Truth;

export const foreignTruth: Truth = {
  ...common,
  "F-signed-path": "path-and-query",
  "F-clock-window": "60000",
  "F-timestamp-syntax": "digits-13",
  "F-nonce-format": "uuid",
  "F-auth-diagnostics": "explain",
  "F-unknown-route": "before-authentication",
  "F-client-record-missing": "placing-only",
  "F-order-visibility": "client",
  "F-foreign-order-answer": "not-found",
  "F-initial-status": "OPEN",
  "F-decimal-output": "fixed-scale",
  "F-client-order-id-case": "insensitive",
  "F-cancel-mode": "synchronous",
  "F-cancel-operation": "put",
  "F-cancel-finished": "409",
  "F-unknown-request-fields": "ignore",
  "F-unknown-product": "400",
  "F-stop-crossed": "trigger",
  "F-success-on-failed-outcome": "true",
  "F-timestamp-output": "other",
  "F-external-id-shape": "string",
  "F-zero-fill-values": "zero",
  "F-json-layout": "compact",
  "F-connection-reuse": "kept",
  "F-open-orders-shape": "array",
  "F-size-field-shape": "object",
  "F-product-order": "unsorted",
  "F-disabled-pairs-listed": "listed",
  "F-order-book-record": "named-levels",
  "F-error-body": "mirrored",
  "F-error-codes": "none",
  "F-request-size": "64-kib",
};
