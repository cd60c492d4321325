import type { Value, ValueMap } from "../model/value.ts";
import { hiddenValue } from "../recording/hidden.ts";
import type { Recording } from "../recording/read-recording.ts";
import { valueOf } from "../recording/recording.ts";
import type { EarlierRequests } from "./earlier.ts";
import { headerIn, type Turn } from "./turn.ts";

/** How a request was signed otherwise than by the rules, as far as the recording shows it. */
export interface SigningSeen {
  /** Members of the `call`: `as`, `sign` or `reuse`. */
  readonly call: ValueMap;
  /** The parts that could not be expressed. */
  readonly remark?: string;
}

const headers = ["X-API-KEY", "X-API-TIMESTAMP", "X-API-NONCE", "X-API-SIGNATURE"] as const;

/** A clock that is wrong by less is no reason for anything. */
const leastShiftMs = 5000;

export function signingOf(
  turn: Turn,
  earlier: EarlierRequests,
  { startedAt, isOfClient }: Pick<Recording, "startedAt" | "isOfClient">,
): SigningSeen {
  if (turn.route?.operation.auth === "none") return { call: {} };
  const missing = headers.filter((name) => (headerIn(turn, name.toLowerCase()) ?? "") === "");
  if (missing.length === headers.length) {
    const wasSigned = isOfClient && turn.status !== 401;
    return { call: wasSigned ? {} : { as: "anonymous" } };
  }
  // A file that hides one header may have lost another.
  const isHiding = headers.some((name) => headerIn(turn, name.toLowerCase()) === hiddenValue);
  const seen: ValueMap = {
    ...(missing.length === 0 || isHiding ? {} : { headers: { omit: missing } }),
    ...clockOf(turn, startedAt),
  };
  const again = earlier.withNonceOf(turn);
  if (again !== undefined && !missing.includes("X-API-NONCE")) {
    if (isSame(again.turn, turn)) return { call: { reuse: again.step } };
    return { call: { sign: { ...seen, override: { nonce: `\${${again.step}.request.nonce}` } } } };
  }
  if (Object.keys(seen).length > 0) return { call: { sign: seen } };
  if (turn.status !== 401) return { call: {} };
  if (turn.exchange.signature === "wrong")
    return {
      call: { sign: { transform: ["flipBit(0)"] } },
      remark: "its signature was not that of its key: it is written as a wrong one",
    };
  return {
    call: {},
    remark:
      turn.exchange.signature === "right"
        ? "was refused with 401, although its signature is right: a correct gateway accepts it"
        : "was refused with 401, and the recording does not show why: it is signed rightly, so that a correct gateway accepts it. The secret tells whether the client had signed rightly: --secret-env VARIABLE",
  };
}

function clockOf(turn: Turn, startedAt: number): Record<string, Value> {
  const stamp = headerIn(turn, "x-api-timestamp") ?? "";
  if (/^\d{9,11}$/.test(stamp)) return { override: { timestamp: "seconds" } };
  if (/^\d{4}-\d{2}-\d{2}T/.test(stamp)) return { override: { timestamp: "iso" } };
  if (!/^\d{12,14}$/.test(stamp)) return {};
  // The gateway's clock is what a timestamp is compared with; that of the recorder may be wrong, too.
  const date = Date.parse(valueOf(turn.exchange.answer?.headers ?? [], "date") ?? "");
  const shift = Number(stamp) - (Number.isNaN(date) ? startedAt + turn.from : date);
  if (Math.abs(shift) < leastShiftMs) return {};
  const seconds = Math.round(Math.abs(shift) / 1000);
  return { atClock: { offset: `${shift < 0 ? "-" : "+"}${seconds}s` } };
}

const isSame = (one: Turn, other: Turn): boolean =>
  one.method === other.method &&
  one.exchange.request.target === other.exchange.request.target &&
  headerIn(one, "x-api-signature") === headerIn(other, "x-api-signature") &&
  headerIn(one, "x-api-timestamp") === headerIn(other, "x-api-timestamp") &&
  one.exchange.request.body.text === other.exchange.request.body.text;
