import { isMap, toJsonText, type Value, type ValueMap } from "../model/value.ts";
import { hiddenValue } from "../recording/hidden.ts";
import type { EarlierRequests } from "./earlier.ts";
import type { Names } from "./names.ts";
import { headerIn, type Turn } from "./turn.ts";
import { writtenJson } from "./written-json.ts";

/** The reason why a request could not be written. */
export class Inexpressible extends Error {}

/** The `call` of a step, without its role and signature. */
export function requestOf(turn: Turn, names: Names, earlier: EarlierRequests): ValueMap {
  return { ...placeOf(turn, names), ...headersOf(turn, names), ...bodyOf(turn, names, earlier) };
}

function placeOf({ route, method, path, query }: Turn, names: Names): ValueMap {
  const pairs = query.map(([name, value]) => [name, names.inText(value)]);
  if (route === undefined)
    return {
      method,
      path: names.inText(path),
      ...(pairs.length === 0 ? {} : { query: pairs }),
    };
  const params: Record<string, Value> = {};
  for (const [name, value] of Object.entries(route.params)) params[name] = names.inText(value);
  const canonical = new Map(Object.entries(route.operation.query).map(([name, own]) => [own, name]));
  const others: string[][] = [];
  for (const [own, value] of pairs) {
    const name = canonical.get(own ?? "");
    if (name === undefined || Object.hasOwn(params, name)) others.push([own ?? "", value ?? ""]);
    else params[name] = value ?? "";
  }
  return {
    op: route.op,
    ...(Object.keys(params).length === 0 ? {} : { params }),
    ...(others.length === 0 ? {} : { query: others }),
  };
}

/** Of the headers only a media type of its own matters: the kit sets the others itself. */
function headersOf(turn: Turn, names: Names): ValueMap {
  const type = headerIn(turn, "content-type");
  if (type === undefined || type === hiddenValue || /^application\/json(?:; *charset=utf-8)?$/i.test(type))
    return {};
  return { headers: { "Content-Type": names.inText(type) } };
}

function bodyOf(turn: Turn, names: Names, earlier: EarlierRequests): ValueMap {
  const { body } = turn.exchange.request;
  const { sent = null, hidden, isRebuilt } = turn;
  if (isRebuilt !== true) {
    if (hidden.length > 0)
      throw new Inexpressible(
        `the value of ${hidden.join(" and ")} was hidden, and nothing else in the file shows it`,
      );
    if (body.length === 0) return {};
    if (body.cut === true)
      throw new Inexpressible(
        body.text === undefined && body.base64 === undefined
          ? "it has no body in this file"
          : "its body was not kept whole",
      );
  }
  const written = keepsBytes(turn) ? null : writtenJson(sent, (text) => names.inText(text));
  const same = isRebuilt === true ? undefined : earlier.withBodyOf(turn);
  if (isMap(written))
    return { body: same === undefined ? withPrices(written, names) : `\${${same.step}.request.body}` };
  return body.text === undefined ? { bodyBase64: body.base64 ?? "" } : { bodyText: names.inBody(body.text) };
}

/** Prices that the client read in the book are those of the book of the next session. */
function withPrices(body: ValueMap, names: Names): ValueMap {
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const isPrice = (key === "price" || key === "stop_price") && typeof value === "string";
      const name = isPrice ? names.priceOf(value) : undefined;
      return [key, name === undefined ? value : `\${${name}}`];
    }),
  );
}

/** The bytes themselves may be why a request was refused. */
const keepsBytes = (turn: Turn): boolean => (turn.status ?? 0) >= 400 && hasBlanks(turn);

/** Whether the kit sends other bytes for the same JSON, because the client wrote blanks in it. */
export const isRespaced = (turn: Turn): boolean => hasBlanks(turn) && !keepsBytes(turn);

function hasBlanks({ exchange, sent, hidden, isRebuilt }: Turn): boolean {
  if (hidden.length > 0 || isRebuilt === true) return false;
  const written = sent === undefined ? undefined : writtenJson(sent);
  return isMap(written) && toJsonText(written) !== exchange.request.body.text;
}
