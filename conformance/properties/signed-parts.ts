import type { SignMapping } from "../model/language.ts";

/** The signed values of a correct request; the nonce is given by its name. */
export interface Signed {
  readonly nonce: string;
  readonly method: string;
  /** In full, without a query. */
  readonly path: string;
}

/** One part of one signed value that differs between the request and the signature. */
export interface Edit {
  readonly clause: string;
  /** For parts that not every request has. */
  readonly of?: "body" | "query" | "id";
  /** It uses a value of an earlier accepted request. */
  readonly after?: "good";
  readonly sign: (right: Signed) => SignMapping;
}

/** Does the path contain an order id? */
export const isOrdersOwn = (route: string): boolean => route === "cancelOrder" || route === "readOrder";

const timestamp = (sign: SignMapping): Edit => ({ clause: "AUTH-12", sign: () => sign });
const later = (shift: string): Edit => timestamp({ mutateAfterSign: { timestamp: shift } });

/** Signed without the later digits, and sent with some. */
const rounded = (unit: number, shift: string): Edit =>
  timestamp({
    override: { timestamp: { $calc: `now / ${unit} @ 0 * ${unit}` } },
    mutateAfterSign: { timestamp: shift },
  });

const digit = (at: number): Edit => ({
  clause: "AUTH-13",
  sign: ({ nonce }): SignMapping => ({
    override: { nonce },
    mutateAfterSign: { nonce: { $uuid: { like: nonce, at } } },
  }),
});

const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"];
const method = (other: (right: string) => string): Edit => ({
  clause: "AUTH-14",
  sign: (right): SignMapping => ({ override: { method: other(right.method) } }),
});
const otherMethod = (index: number): Edit =>
  method((right) => methods.filter((one) => one !== right)[index] ?? "");

const path = (other: (segments: readonly string[]) => readonly string[], of?: "id"): Edit => ({
  clause: "AUTH-16",
  ...(of === undefined ? {} : { of }),
  sign: (right): SignMapping => ({ override: { path: other(right.path.split("/")).join("/") } }),
});
/** Segments count from the end; the last one is 1. */
const segment = (place: number, change: (text: string) => string): Edit =>
  path((segments) =>
    segments.map((text, index) => (segments.length - index === place ? change(text) : text)),
  );
const named = (name: string): Edit =>
  path((segments) => segments.map((text) => (text === "${id.nobody}" ? name : text)), "id");

const query = (text: string): Edit => ({
  clause: "AUTH-16",
  of: "query",
  sign: (right): SignMapping => ({ override: { path: `${right.path}${text}` } }),
});

const body = (change: NonNullable<NonNullable<SignMapping["mutateAfterSign"]>["body"]>): Edit => ({
  clause: "AUTH-18",
  of: "body",
  sign: (): SignMapping => ({ mutateAfterSign: { body: change } }),
});

const keyId = (change: string): Edit => ({
  clause: "AUTH-05",
  sign: (): SignMapping => ({ mutateAfterSign: { keyId: change } }),
});

/** By name; the smallest edit of each value first. */
export const edits: Readonly<Record<string, Edit>> = {
  "timestamp a millisecond later": later("+1ms"),
  "timestamp a millisecond earlier": later("-1ms"),
  "timestamp a tenth of a second later": later("+100ms"),
  "timestamp a second later": later("+1s"),
  "tenths signed, milliseconds sent": rounded(100, "+7ms"),
  "seconds signed, milliseconds sent": rounded(1000, "+7ms"),
  "next second signed, milliseconds sent": rounded(1000, "-7ms"),
  "tens of seconds signed, milliseconds sent": rounded(10_000, "+7ms"),
  "another nonce": {
    clause: "AUTH-13",
    sign: ({ nonce }): SignMapping => ({ override: { nonce }, mutateAfterSign: { nonce: "${id.other}" } }),
  },
  "first digit of the nonce": digit(0),
  "second group of the nonce": digit(9),
  "third group of the nonce": digit(15),
  "fourth group of the nonce": digit(20),
  "last group of the nonce": digit(24),
  "last digit of the nonce": digit(35),
  "another method": otherMethod(0),
  "a second other method": otherMethod(1),
  "a third other method": otherMethod(2),
  "a fourth other method": otherMethod(3),
  "a fifth other method": otherMethod(4),
  "method without its last letter": method((right) => right.slice(0, -1)),
  "method with a letter more": method((right) => `${right}S`),
  "last letter of the path": segment(1, (text) => `${text.slice(0, -1)}x`),
  "last segment longer": segment(1, (text) => `${text}s`),
  "another last segment": segment(1, () => "product"),
  "another segment before it": segment(2, (text) => `${text}s`),
  "no last segment": path((segments) => segments.slice(0, -1)),
  "no first segment": path((segments) => ["", ...segments.slice(2)]),
  "another first segment": path((segments) => ["", "app", ...segments.slice(2)]),
  "last segment twice": path((segments) => [...segments, ...segments.slice(-1)]),
  "slash after the path": path((segments) => [...segments, ""]),
  "two slashes in the path": path((segments) => [...segments.slice(0, -1), "", ...segments.slice(-1)]),
  "dot in the path": path((segments) => [...segments.slice(0, -1), ".", ...segments.slice(-1)]),
  "question mark after the path": segment(1, (text) => `${text}?`),
  "id of another order": named("${id.somebody}"),
  "digit before the id": named("0${id.nobody}"),
  "word for the id": named(":id"),
  "brackets for the id": named("{id}"),
  "another value in the query": query("?limit=2"),
  "another name in the query": query("?status=1"),
  "one more value in the query": query("?limit=1&limit=1"),
  "blank after the body": body({ text: " " }),
  "blank before the body": body({ insertAt: 0, text: " " }),
  "line end in the body": body({ insertAt: 1, text: "\n" }),
  "first value of the body": body({ replace: ['"BUY"', '"SELL"'] }),
  "letter case of a name in the body": body({ replace: ['"price"', '"Price"'] }),
  "id in the body": body({ replace: ["${id.a}", "${id.b}"] }),
  "blank at the end of the body": body({ replace: ['"}', '" }'] }),
  "one more value in the body": body({ replace: ['"}', '","note":"x"}'] }),
  "key id with a letter more": keyId("append(x)"),
  "key id with a digit more": keyId("append(0)"),
  "key id with a digit before it": keyId("prepend(0)"),
  "signature of a request that was good": {
    clause: "AUTH-13",
    after: "good",
    sign: (): SignMapping => ({ headers: { set: { "X-API-SIGNATURE": "${good.request.signature}" } } }),
  },
};
