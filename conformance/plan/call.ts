import { asMap, isList, type Value, type ValueMap } from "../model/value.ts";
import { type SignChoice, signOf } from "./sign.ts";

/**
 * A call with its references filled: by the run with all its values, or before the run with variables and rows only.
 */
export interface FilledCall {
  /** The step whose request is sent again; all other members are then ignored. */
  readonly reuse?: string;
  readonly op?: string;
  readonly method?: string;
  readonly path?: string;
  readonly role: string;
  readonly params: ValueMap;
  /** Pairs, or one text that is used unchanged. */
  readonly query: readonly (readonly string[])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Value;
  readonly bodyText?: string;
  readonly bodyBase64?: string;
  readonly sign: SignChoice;
  /** The request gets a connection of its own. */
  readonly fresh: boolean;
  /** The connection is closed after the last byte of the request, or before it. */
  readonly abandon?: "sent" | "unsent";
}

/**
 * The one reader of filled calls, of handshakes and of the signing part of raw bytes. Rows may contain values of any
 * type; a value of another type than expected is read as its text.
 */
export function readCall(filled: Value): FilledCall {
  const call = asMap(filled);
  const { reuse, op, method, path, body, bodyText, bodyBase64, abandon } = call;
  return {
    ...(typeof reuse === "string" ? { reuse } : {}),
    ...(typeof op === "string" ? { op } : {}),
    ...(method === undefined ? {} : { method: String(method) }),
    ...(path === undefined ? {} : { path: String(path) }),
    role: String(call["as"] ?? "trader"),
    params: asMap(call["params"]),
    query: isList(call["query"]) ? call["query"].map((pair) => [pair].flat().map(String)) : [],
    headers: textsOf(asMap(call["headers"])),
    ...(body === undefined ? {} : { body }),
    ...(typeof bodyText === "string" ? { bodyText } : {}),
    ...(typeof bodyBase64 === "string" ? { bodyBase64 } : {}),
    sign: signOf(call["sign"]),
    fresh: call["pool"] === "fresh",
    ...(abandon === "sent" || abandon === "unsent" ? { abandon } : {}),
  };
}

/** The call changes nothing about the signature: it uses the credentials of the role, or none for `anonymous`. */
export const isUnsigned = ({ role, sign }: FilledCall): boolean => role === "anonymous" || sign.unsigned;

const textsOf = (block: ValueMap): Record<string, string> =>
  Object.fromEntries(Object.entries(block).map(([key, value]) => [key, String(value)]));
