/** How other languages write values, and what a client of this gateway signs: for the collected mistakes. */
import { createHash, createHmac } from "node:crypto";

/** A request as it is sent. */
export interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly contentType: string;
  readonly body: string;
  readonly secret: string;
  readonly signedPath: "path" | "path-and-query";
}

/** A mistake that somebody reported or published, carried over to the six lines of this gateway. */
export interface Collected {
  readonly source: `https://${string}`;
  readonly language: string;
  /** The behaviour of the code, in our words. */
  readonly did: string;
  /** The names that a person would expect, as ids of mistakes.yaml: any one of these sets. An id need not exist. */
  readonly expected: readonly (readonly string[])[];
  readonly sent: Sent;
  readonly sign: (sent: Sent) => string;
}

export const keyId = "gw_trader_5d41402a";
export const timestamp = "1767225600417";
export const nonce = "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10";
export const host = "localhost:8080";
const prefix = "/api/v1/trading";

export const fields = {
  side: "BUY",
  type: "LIMIT",
  base_quantity: "0.001",
  price: "25000.00",
  client_order_id: "3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11",
  product: "BTC-USD",
};

/** A secret as exchanges give them out: base64 text. */
const secret = "mFq3kZ0eT7vYx2Jd9bRnW5uLs8HgAcP1iOoEwQfKz4M=";

export const order: Sent = {
  method: "POST",
  target: `${prefix}/order`,
  contentType: "application/json",
  body: JSON.stringify(fields),
  secret,
  signedPath: "path",
};
export const openOrders: Sent = {
  ...order,
  method: "GET",
  target: `${prefix}/order/open?product=BTC-USD&limit=10`,
  body: "",
};

export interface Lines {
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly bodyHash: string;
}

export const pathOf = ({ target }: Sent): string => target.replace(/\?.*$/, "");
export const sha256 = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");

/** The right six lines, with what the mistake makes of them. */
export const lines = (sent: Sent, mistaken: Partial<Lines> = {}): readonly string[] =>
  Object.values({
    timestamp,
    nonce,
    method: sent.method,
    path: sent.signedPath === "path" ? pathOf(sent) : sent.target,
    contentType: "application/json",
    bodyHash: sha256(sent.body),
    ...mistaken,
  });

export const hmac = (
  key: string | Uint8Array,
  text: string | Uint8Array,
  encoding: "hex" | "base64" = "hex",
): string => createHmac("sha256", key).update(text).digest(encoding);

/** Signs as documented, but for these lines. */
export const signs =
  (mistaken: (sent: Sent) => Partial<Lines>) =>
  (sent: Sent): string =>
    hmac(sent.secret, lines(sent, mistaken(sent)).join("\n"));

/** Another body is hashed than is sent. */
export const hashes = (body: string | Uint8Array) => signs(() => ({ bodyHash: sha256(body) }));

const asciiOnly = (json: string): string =>
  json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** `json.dumps`: a blank after each comma and colon, ASCII only. */
export const pythonJson = (value: object): string =>
  asciiOnly(
    JSON.stringify(value).replaceAll(
      /("(?:[^"\\]|\\.)*")|([,:])/g,
      (_all, text?: string, mark?: string) => text ?? `${mark} `,
    ),
  );

/** `str()` of a dict without quotation marks in its texts. */
export const pythonRepr = (value: object): string =>
  JSON.stringify(value).replaceAll(
    /("(?:[^"\\]|\\.)*")|([,:])|true|false|null/g,
    (all, text?: string, mark?: string) => {
      if (text !== undefined) return `'${text.slice(1, -1)}'`;
      return mark === undefined ? ({ true: "True", false: "False" }[all] ?? "None") : `${mark} `;
    },
  );

/** `json_encode` without flags: ASCII only, and a backslash before each slash. */
export const phpEncode = (value: object): string => asciiOnly(JSON.stringify(value)).replaceAll("/", "\\/");

/** `json.Marshal` of a map: by the names of its keys. */
export const goMarshalMap = (value: object): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))),
  );

/** `Integer.toHexString(b & 0xff)` byte by byte: a zero is lost in each byte below 16. */
export const javaHex = (hex: string): string =>
  [...Buffer.from(hex, "hex")].map((byte) => byte.toString(16)).join("");
