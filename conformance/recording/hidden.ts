import { isArray, type Json, JsonObject } from "../model/json.ts";
import type { RecordedHeader } from "./recording.ts";

/** Stands in a recording for a header whose value somebody has hidden. */
export const hiddenValue = "«hidden»";

/** `***`, `XX`, `xxxx-xxxx`, `…`, `ab****yz` */
const masked = /^(?=.*[*•●█xX…])[*•●█xX…. -]{2,}$|^\S{0,8}(?:\*{3,}|[•●█]{2,}|…)\S{0,8}$/u;
/** `[REDACTED]`, `<api-key>`, `{{secret}}`, `$SIGNATURE`, `%KEY%`, `REDACTED` */
const placeholder =
  /^[[<({«]{1,2}[\p{L}_][\p{L}\w .:*-]{0,40}[\])}>»]{1,2}$|^\$\{?[A-Za-z_]\w{2,60}\}?$|^%\w{1,60}%$|^[\W_]*(?:redacted|masked|sanitized|sanitised|scrubbed|censored|anonymized|anonymised)\b/iu;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/i;

/** Whether somebody seems to have hidden a value before the file was sent. */
export const isHidden = (text: string): boolean => {
  const shown = text.trim();
  return shown.length <= 200 && (masked.test(shown) || (placeholder.test(shown) && !uuid.test(shown)));
};

const forms: Readonly<Record<string, RegExp>> = {
  "x-api-timestamp": /^\d+(?:\.\d+)?$|^\d{4}-\d{2}-\d{2}T/,
  "x-api-signature": /^(?:[0-9a-f]{8,}|[A-Za-z0-9+/_-]{27,}={0,2})$/i,
};

/** A header whose value was hidden, or a signature or a timestamp that cannot be one. */
export function withoutHidden(headers: readonly RecordedHeader[]): RecordedHeader[] {
  return headers.map(([name, value]): RecordedHeader => {
    const lower = name.toLowerCase();
    const isOdd = value !== "" && forms[lower]?.test(value) === false;
    return isHidden(value) || isOdd ? [name, hiddenValue] : [name, value];
  });
}

/** The value without the members that were hidden, and their names. */
export function shownIn(json: Json, hidden: Set<string>): Json {
  if (isArray(json)) return json.map((item) => shownIn(item, hidden));
  if (!(json instanceof JsonObject)) return json;
  const entries = [...json.entries].filter(([name, item]) => {
    const isLeftOut = typeof item === "string" && isHidden(item);
    if (isLeftOut) hidden.add(name);
    return !isLeftOut;
  });
  return new JsonObject(
    new Map(entries.map(([name, item]) => [name, shownIn(item, hidden)])),
    json.duplicates,
  );
}
