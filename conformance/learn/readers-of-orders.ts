/** Freedoms of placing, repeating and cancelling. */
import { finalStatuses } from "../contract/fields.ts";
import { JsonObject } from "../model/json.ts";
import { answerOf } from "../probe/ask.ts";
import { isNew, isOk, isRefused, isRepeat, reader, readerOfEach, result, status, untold } from "./reader.ts";
import type { Between, Reader, Sample } from "./sighting.ts";

const placed = "order: placed";
const noPlainOrder = untold("the plain order was refused");

/** An order that differs from the plain one in one thing: taken or refused. */
const takenOrRefused = (freedom: string, name: string, taken: string, refused: string): Reader =>
  reader(freedom, [placed, name], (plain, changed) => {
    if (!isNew(plain)) return noPlainOrder;
    if (isNew(changed)) return taken;
    return isRefused(changed) ? refused : untold("another answer than expected");
  });

const text = (order: JsonObject | undefined, field: string): string | undefined => {
  const value = order?.get(field);
  return typeof value === "string" ? value : undefined;
};
const stateOf = (sample: Sample): string =>
  `${text(sample.order, "status") ?? "no status"}, synced ${String(sample.order?.get("synced"))}`;

/** The shortest of the times that fit: a busy machine makes times longer, never shorter. */
const fits = ({ low, high }: Between, wanted: number, widest: number): boolean =>
  low <= wanted && wanted <= high && high - low <= widest;

function syncDelay(first: Sample, synced: Sample) {
  const { between } = synced;
  if (!isNew(first)) return noPlainOrder;
  if (first.order?.get("synced") !== false) return untold("the first answer does not show synced as false");
  if (between === undefined) return untold("synced was not seen to turn true");
  if (between.low <= 0 && between.high < 5) return "0";
  return fits(between, 50, 25) && between.low > 25
    ? "50"
    : untold(`it turned true between ${ms(between)}, which fits no option, or more than one`);
}

function listLag(first: Sample, listed: Sample) {
  const { between } = listed;
  if (!isNew(first)) return noPlainOrder;
  if (between === undefined) return untold("the order was not seen among the open ones");
  if (between.low <= 0) return "none";
  if (text(first.order, "status") !== "OPEN")
    return untold("it was not OPEN at first, and may be listed from then on");
  return fits(between, 2000, 500) && between.low > 1500
    ? "two-seconds"
    : untold(`it was listed between ${ms(between)}, which is no option`);
}

const ms = ({ low, high }: Between): string =>
  `${Math.max(0, Math.round(low))} and ${Math.round(high)} ms later`;

function decimalOutput(plain: Sample, zeros: Sample) {
  if (!isNew(plain) || !isNew(zeros)) return noPlainOrder;
  const pairs = ["baseQuantity", "limitPrice"].map((field) => [
    text(plain.order, field),
    text(zeros.order, field),
  ]);
  const shown = pairs.map(([one, other]) => `${one ?? "not shown"} and ${other ?? "not shown"}`).join(", ");
  const evidence = `the same amounts, sent with and without trailing zeros, came back as ${shown}`;
  if (pairs.some(([one, other]) => one === undefined || one !== other))
    return untold(`${evidence}: they follow what was sent`);
  const texts = pairs.map(([one = ""]) => one);
  if (texts.some((one) => /e/i.test(one))) return { option: "exponent", evidence };
  const padded = texts.filter((one) => /\.\d*0$/.test(one)).length;
  if (padded === 0) return { option: "trimmed", evidence };
  return padded === texts.length
    ? { option: "fixed-scale", evidence }
    : untold(`${evidence}: some have zeros`);
}

function idCase(capitals: Sample, repeated: Sample) {
  if (!isNew(capitals)) return untold("an order with a client_order_id in capitals was refused");
  const echo = text(capitals.order, "clientOrderId") ?? "";
  const evidence = `sent in capitals, it came back as ${echo}; in lower case it was then answered ${result(repeated) ?? answerOf(repeated.exchange)}`;
  const isLower = echo === echo.toLowerCase();
  if (isRepeat(repeated)) return { option: isLower ? "lower-cased" : "insensitive", evidence };
  return isNew(repeated) && !isLower
    ? { option: "sensitive", evidence }
    : untold("the two answers fit no option");
}

function replayState(first: Sample, later: Sample, repeated: Sample) {
  if (!isNew(first) || !isRepeat(repeated)) return untold("the repeat was not answered as one");
  const [then, since, now] = [first, later, repeated].map(stateOf);
  const evidence = `first ${then}; read later ${since}; the repeat shows ${now}`;
  if (now !== then) return { option: "current", evidence };
  return since !== then && later.order !== undefined
    ? { option: "frozen", evidence }
    : untold("the order has not changed in between");
}

function cancelMode(cancelled: Sample, after: Sample) {
  if (!isOk(cancelled)) return untold("the cancel was refused");
  const shown = text(cancelled.order, "status");
  const evidence = `the cancel was answered with ${shown ?? "no order"}; ${after.note ?? "nothing seen later"}`;
  if (shown === "CANCELLED") return { option: "synchronous", evidence };
  return (shown === "OPEN" || shown === "PENDING") && after.note !== undefined
    ? { option: "asynchronous", evidence }
    : untold(evidence);
}

/** One placement after a 401, a 403 and a 400 with the same client_order_id. */
const idFreeAfter = (freedom: string, refusal: string, wanted: readonly number[]): Reader =>
  reader(freedom, [refusal, "refused-id: placed in the end"], (refused, after) => {
    if (!wanted.includes(status(refused))) return untold("the request that should be refused was not");
    return isNew(after)
      ? "free"
      : untold("the id was refused in the end, and which refusal used it up is open");
  });

export const readersOfOrders: readonly Reader[] = [
  reader("F-initial-status", [placed], (first) => {
    const shown = text(first.order, "status");
    return isNew(first) && (shown === "OPEN" || shown === "PENDING")
      ? { option: shown, evidence: `the answer to a LIMIT order shows ${shown}` }
      : untold("the answer shows neither OPEN nor PENDING");
  }),
  reader("F-synced-on-new", [placed], (first) => {
    const synced = first.order?.get("synced");
    return isNew(first) && typeof synced === "boolean"
      ? { option: String(synced), evidence: `the answer to a LIMIT order shows synced ${synced}` }
      : untold("the answer shows no synced");
  }),
  reader("F-sync-delay", [placed, "order: synced"], syncDelay),
  reader("F-open-orders-lag", [placed, "order: listed"], listLag),
  reader("F-decimal-output", [placed, "zeros: placed"], decimalOutput),
  reader("F-client-order-id-case", ["id-case: in capitals", "id-case: in lower case"], idCase),
  reader("F-replay-state", [placed, "order: read later", "order: repeated"], replayState),
  reader("F-cancel-mode", ["order: cancelled", "order: ended"], cancelMode),
  reader("F-cancel-operation", ["order: cancelled"], (cancelled) => {
    const method = cancelled.exchange.request.method.toLowerCase();
    return isOk(cancelled) && ["delete", "post", "put"].includes(method)
      ? method
      : untold("the cancel was refused");
  }),
  reader("F-cancel-finished", ["order: ended", "order: cancelled again"], (ended, again) => {
    if (ended.note === undefined) return untold("the end of the order was not seen");
    return [200, 400, 404, 409].includes(status(again))
      ? String(status(again))
      : untold("no answer of the register");
  }),
  takenOrRefused("F-decimal-number-tokens", "number: a JSON number as quantity", "coerce", "refuse"),
  takenOrRefused("F-unknown-request-fields", "fields: one that nobody knows", "ignore", "reject"),
  takenOrRefused(
    "F-ignored-field-syntax",
    "fields: quote_value of a LIMIT order is a word",
    "ignore",
    "validate",
  ),
  takenOrRefused("F-enum-case", "words: side and type in lower case", "folded", "exact"),
  takenOrRefused("F-product-case", "words: product in lower case", "folded", "exact"),
  takenOrRefused("F-client-order-id-version", "fields: a client_order_id of version 1", "any", "v4-only"),
  reader("F-unplaceable-types", [placed, "words: type TWAP"], (plain, twap) => {
    if (!isNew(plain)) return noPlainOrder;
    if (isOk(twap) && result(twap)?.endsWith("_FAILED") === true) return "outcome";
    return status(twap) === 400 ? "refuse" : untold("another answer than expected");
  }),
  reader("F-unknown-product", [placed, "words: a product that is not listed"], (plain, unknown) => {
    if (!isNew(plain)) return noPlainOrder;
    return [400, 404].includes(status(unknown))
      ? String(status(unknown))
      : untold("another answer than expected");
  }),
  reader(
    "F-decimal-input",
    [placed, "decimals: with a plus sign", "decimals: with a zero in front", "decimals: with an exponent"],
    (plain, ...odd) => {
      if (!isNew(plain)) return noPlainOrder;
      if (odd.every(isNew)) return "lenient";
      return odd.every((one) => status(one) === 400) ? "plain" : untold("some are taken, and others are not");
    },
  ),
  reader(
    "F-duplicate-different-body",
    ["repeats: placed", "repeats: with another quantity"],
    (first, other) => {
      if (!isNew(first)) return noPlainOrder;
      if (isRepeat(other)) return "replay";
      return [400, 409, 422].includes(status(other)) ? "refuse" : untold("another answer than expected");
    },
  ),
  reader(
    "F-duplicate-with-invalid-body",
    ["repeats: placed", "repeats: without quantity"],
    (first, invalid) => {
      if (!isNew(first)) return noPlainOrder;
      if (isRepeat(invalid)) return "replay";
      return status(invalid) === 400 ? "invalid" : untold("another answer than expected");
    },
  ),
  idFreeAfter("F-refused-id-free", "refused-id: without quantity", [400]),
  idFreeAfter("F-unauthenticated-id-free", "refused-id: signature broken", [401]),
  reader(
    "F-stop-crossed",
    ["stop: trigger not reached", "stop: trigger passed", "stop: in the book"],
    (waiting, crossed, book) => {
      if (!isNew(waiting)) return untold("an order that waits for its trigger is refused, too");
      if (isRefused(crossed)) return "reject";
      return isNew(crossed) && book.note !== undefined
        ? "trigger"
        : untold("it was accepted, and was not seen in the book as a triggered order would be");
    },
  ),
  reader("F-success-on-failed-outcome", ["outcome: failed"], (failed) => {
    const success = successIn(failed);
    const type = result(failed) ?? "";
    const isFailed = /_FAILED$|^CLIENT_NOT_FOUND$/.test(type);
    return isOk(failed) && isFailed && typeof success === "boolean"
      ? { option: String(success), evidence: `${type} came with success ${success}` }
      : untold("no failed outcome was answered");
  }),
  readerOfEach("F-new-order-message", [placed, "zeros: placed"], (one) => {
    if (!isNew(one)) return noPlainOrder;
    const message = messageIn(one);
    if (message === undefined || message === null) return "absent";
    return typeof message === "string" ? "present" : untold("data.message is no text");
  }),
];

const successIn = ({ exchange }: Sample): unknown => memberOf(exchange.json, "success");
const messageIn = ({ exchange }: Sample): unknown => memberOf(memberOf(exchange.json, "data"), "message");

function memberOf(json: unknown, name: string): unknown {
  return json instanceof JsonObject ? json.get(name) : undefined;
}

/** Has the order ended, as this answer shows it? */
export const isFinal = (order: JsonObject | undefined): boolean =>
  finalStatuses.includes(text(order, "status") ?? "");
