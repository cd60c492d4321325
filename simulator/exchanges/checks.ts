/**
 * The checks that a request passed, in order, and the one that refused it. The order is that of docs/architecture.md; a
 * refusal names its check by its code, so nothing has to be noted while a request is served.
 */
import { callChecks } from "../http/call-checks.ts";
import type { ErrorCode } from "../http/errors.ts";
import type { Exchange } from "./exchange.ts";

export interface Check {
  /** The subject of the check, in a few words. */
  readonly check: string;
  readonly passed: boolean;
}

interface KnownCheck {
  readonly check: string;
  readonly codes: readonly ErrorCode[];
}

/** What is checked before a body is read: a code that comes again later means the later check once these passed. */
const beforeBody: readonly KnownCheck[] = [
  {
    check: "the message is HTTP/1.1 that this listener takes",
    codes: [
      "MALFORMED_REQUEST",
      "HTTP_VERSION_NOT_SUPPORTED",
      "HEADERS_TOO_LARGE",
      "URI_TOO_LONG",
      "INVALID_TARGET",
      "DUPLICATE_HEADER",
      "EXPECTATION_FAILED",
      "MISDIRECTED_REQUEST",
      "FOREIGN_ORIGIN",
      "REQUEST_TIMEOUT",
    ],
  },
  {
    check: "the path and the method exist",
    codes: ["ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED", "UPGRADE_REQUIRED"],
  },
  { check: "the address sends not too often", codes: ["RATE_LIMITED"] },
  { check: "the four headers of the credentials are there", codes: ["MISSING_CREDENTIALS", "UNAUTHORIZED"] },
  { check: "the timestamp can be read", codes: ["INVALID_TIMESTAMP"] },
  { check: "the API key is known", codes: ["INVALID_API_KEY"] },
  { check: "the timestamp is inside the window", codes: ["TIMESTAMP_OUT_OF_WINDOW"] },
  { check: "the nonce can be read", codes: ["INVALID_NONCE"] },
];

const bodySize: KnownCheck = { check: "the body is not too large", codes: ["PAYLOAD_TOO_LARGE"] };

export const checksInOrder: readonly KnownCheck[] = [
  ...beforeBody,
  bodySize,
  { check: "the signature fits the request", codes: ["INVALID_SIGNATURE"] },
  { check: "the API key is enabled", codes: ["INVALID_API_KEY"] },
  { check: "the timestamp is still inside the window", codes: ["TIMESTAMP_OUT_OF_WINDOW"] },
  { check: "the nonce is new", codes: ["NONCE_REUSED"] },
  ...callChecks,
  { check: "the body is JSON", codes: ["MALFORMED_JSON", "JSON_NOT_ACCEPTED"] },
  { check: "every field has its form", codes: ["VALIDATION_FAILED"] },
  { check: "the key has a client", codes: ["FORBIDDEN"] },
  { check: "the cursor is one of this list", codes: ["INVALID_CURSOR"] },
  {
    check: "the venue takes requests",
    codes: ["NOT_READY", "MAINTENANCE", "OUTCOME_UNKNOWN", "INTERNAL_ERROR"],
  },
  {
    check: "what the request names is there",
    codes: [
      "NOT_FOUND",
      "ORDER_NOT_FOUND",
      "ASSET_NOT_FOUND",
      "DEPOSIT_NOT_FOUND",
      "PRODUCT_NOT_FOUND",
      "PRODUCT_NOT_ENABLED",
      "ASSET_NOT_SUPPORTED",
      "NETWORK_NOT_SUPPORTED",
    ],
  },
  {
    check: "the rules of the venue allow it",
    codes: [
      "INVALID_COMMAND",
      "ORDER_SIZE_BELOW_MINIMUM",
      "ORDER_SIZE_ABOVE_MAXIMUM",
      "EXCHANGE_REJECTED",
      "ORDER_NOT_CANCELLABLE",
      "CONFLICT",
      "CLOCK_IS_REAL",
      "CONDITION_NOT_MET",
    ],
  },
];

/** For the log alone: a fault of the wire is shown after the checks before this one, and that of an order after all. */
const beforeWireFaults = checksInOrder.findIndex(({ codes }) => codes.includes("INVALID_QUERY"));

/** With `diagnostics: off` the code does not tell which check of the signature, the key, the time or the nonce failed. */
const beforeVerdict: Check[] = [
  ...[...beforeBody, bodySize].map(({ check }) => ({ check, passed: true })),
  { check: "the signature, the key, the time and the nonce are right", passed: false },
];

/** The checks that it passed, and at the end the one that refused it. Those after it were not made. */
export function checksOf({
  answer: { code },
  screened,
  faults,
}: Pick<Exchange, "answer" | "screened" | "faults">): Check[] {
  const fault = faults.find(({ refused }) => refused);
  if (fault !== undefined) {
    const made = fault.kind === "rejectByExchange" ? checksInOrder : checksInOrder.slice(0, beforeWireFaults);
    const passed = made.map(({ check }) => ({ check, passed: true }));
    return [...passed, { check: `the fault rule ${fault.rule} (${fault.kind}) lets it pass`, passed: false }];
  }
  if (code === null) return checksInOrder.map(({ check }) => ({ check, passed: true }));
  if (screened && code === "UNAUTHORIZED") return beforeVerdict;
  const failed = checksInOrder.findIndex(
    (one) => !(screened && beforeBody.includes(one)) && (one.codes as readonly string[]).includes(code),
  );
  if (failed === -1) return checksInOrder.map(({ check }) => ({ check, passed: true }));
  return checksInOrder.slice(0, failed + 1).map(({ check }, index) => ({ check, passed: index < failed }));
}
