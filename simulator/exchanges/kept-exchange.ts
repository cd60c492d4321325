/** Reads an exchange out of the log. The file may have come from anybody, so a row is checked before it is used. */
import type { Exchange } from "./exchange.ts";

type Members = Readonly<Record<string, (value: unknown) => boolean>>;

const isText = (value: unknown): boolean => typeof value === "string";
const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isNumber = (value: unknown): boolean => typeof value === "number";
/** Milliseconds that are a time. */
const isTime = (value: unknown): boolean => typeof value === "number" && Math.abs(value) <= 8.64e15;
const isOneOf =
  (...choices: readonly string[]) =>
  (value: unknown): boolean =>
    choices.includes(value as string);
const orNull =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || check(value);
const orAbsent =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || check(value);
const listOf =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(check);
const isMap =
  (check: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(check);
const has =
  (members: Members) =>
  (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(members).every(([name, check]) =>
      check((value as Readonly<Record<string, unknown>>)[name]),
    );

const isBytes = has({ length: isNumber, text: orAbsent(isText), base64: orAbsent(isText) });
const areHeaders = listOf(has({ name: isText, value: isText }));

const isExchange = has({
  id: isText,
  kind: isOneOf("request", "stream"),
  world: isText,
  at: isTime,
  durationMs: isNumber,
  address: isText,
  key: orNull(isText),
  client: orNull(isText),
  request: has({ method: isText, target: isText, headers: areHeaders, body: isBytes }),
  answer: has({ status: isNumber, code: orNull(isText), headers: areHeaders, body: isBytes, sent: isFlag }),
  entries: orNull(has({ first: isNumber, last: isNumber })),
  place: orNull(has({ decided: isNumber, answered: isNumber })),
  faults: listOf(has({ rule: isText, kind: isText, refused: isFlag })),
  freedoms: isMap(isText),
  screened: isFlag,
  signature: orNull(
    has({
      state: isOneOf("found", "unexplained", "unfinished", "notSearched"),
      mistakes: listOf(isText),
      hint: orNull(isText),
      expectedCanonical: isText,
      signedCanonical: orNull(isText),
      firstDifference: orNull(has({ line: isNumber, byte: isNumber })),
      tried: isNumber,
    }),
  ),
  stream: orNull(
    has({
      code: isNumber,
      reason: isText,
      received: isNumber,
      sent: isNumber,
      subscriptions: listOf(isText),
    }),
  ),
});

/** Undefined if the value is not an exchange. */
export function exchangeIn(record: string): Exchange | undefined {
  try {
    const value: unknown = JSON.parse(record);
    return isExchange(value) ? (value as Exchange) : undefined;
  } catch {
    return undefined;
  }
}
