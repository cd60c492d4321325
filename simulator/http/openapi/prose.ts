/** The text around the operations: the interface, the signature of requests, the form of errors. */
import { type AuthSettings, defaultAuthSettings } from "../../domain/auth-settings.ts";
import type { DecodeOptions } from "../../wire/body.ts";
import type { UnknownNames } from "../../wire/query.ts";
import { type ErrorCode, errorStatus } from "../errors.ts";
import { jsonLimits } from "../parse-json.ts";
import { isTradingCode, refusalTexts } from "./refusal-texts.ts";

export const apiTitle = "Order Trading Gateway";
export const interfaceVersion = "1.0";

/** The texts depend on these settings of the venue. */
export interface DocumentedVenue extends DecodeOptions {
  readonly auth: AuthSettings;
  readonly unknownQuery: UnknownNames;
}

export const defaultVenue: DocumentedVenue = {
  auth: defaultAuthSettings,
  unknownFields: "ignore",
  unknownQuery: "reject",
};

const signedPathTexts: Readonly<Record<AuthSettings["signedPath"], string>> = {
  path: "the path with its prefix and without the query string, for example `/api/v1/trading/order/open`",
  "path-and-query":
    "the path with its prefix and, where there is one, the query string as it is sent, for example\n" +
    "   `/api/v1/trading/order/open?product=BTC-USD`",
  either:
    "the path with its prefix, for example `/api/v1/trading/order/open`; with or without the query string, this\n" +
    "   venue takes both",
};
const nonceTexts: Readonly<Record<AuthSettings["nonceFormat"], string>> = {
  uuid: "a nonce: a new UUID for every request, repeats included",
  any: "a nonce: printable text, for example a UUID, that is new for every request, repeats included",
};

const contentTypeNote = (always: boolean): string =>
  always ? "with every request, also where there is no body" : "where there is a body";

const signing = (
  { signedPath, nonceFormat, strictHexCase, requireContentTypeAlways, clockWindowMs }: AuthSettings,
  host: string,
): string => `
## Signing a request

Every request but the two health probes is signed with an API key. Join six values with a line feed (\`\\n\`), without
one at the end:

1. the time in milliseconds since the epoch, for example \`1767225600000\`
2. ${nonceTexts[nonceFormat]}
3. the method in upper case
4. ${signedPathTexts[signedPath]}
5. \`application/json\`
6. the SHA-256 of the body in lower-case hex; without a body that of nothing,
   \`e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\`

The signature is the HMAC-SHA256 of that text, keyed with the secret as it was handed out, in ${strictHexCase ? "lower-case hex" : "hex"}. Send it
with the key id, the time and the nonce in the headers \`X-API-KEY\`, \`X-API-SIGNATURE\`, \`X-API-TIMESTAMP\` and
\`X-API-NONCE\`, and send \`Content-Type: application/json\` ${contentTypeNote(requireContentTypeAlways)}. Sign the bytes that
you send: a body that is serialized a second time has another hash. The time may be ${clockWindowMs} ms from the clock of the venue.

\`\`\`sh
path=/api/v1/trading/order/open
time=$(date +%s000) nonce=$(node -p 'crypto.randomUUID()')
empty=$(printf '' | sha256sum | cut -d' ' -f1)
text=$(printf '%s\\n%s\\nGET\\n%s\\napplication/json\\n%s' "$time" "$nonce" "$path" "$empty")
signature=$(printf '%s' "$text" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/.* //')
curl --noproxy '*' -H "X-API-KEY: $KEY_ID" -H "X-API-TIMESTAMP: $time" -H "X-API-NONCE: $nonce" \\
  -H "X-API-SIGNATURE: $signature" -H 'Content-Type: application/json' "http://${host}$path"
\`\`\`

A tool that cannot sign can send its requests through \`gatewright proxy\`, which adds the headers. This document
without security schemes, for such tools, is at \`?signed=false\`.
`;

const unknownQuery: Readonly<Record<UnknownNames, string>> = {
  reject: "so is a parameter that the operation does not have.",
  ignore: "a parameter that the operation does not have is ignored.",
};
const unknownFields: Readonly<Record<DecodeOptions["unknownFields"], string>> = {
  ignore: "Unknown fields of a body are ignored.",
  reject: "Unknown fields of a body are refused.",
};

const conventions = (venue: DocumentedVenue): string => `
## Conventions

- Every success is wrapped in an envelope: \`statusCode\`, \`success\`, \`message\`, \`data\`.
- Amounts are decimal strings in plain notation, never JSON numbers. Times are ISO 8601 in UTC with milliseconds.
- Query parameters in camelCase may be written in snake_case, too. Lists are repeated or comma-separated. An empty, malformed
  or repeated parameter is refused; ${unknownQuery[venue.unknownQuery]}
- ${unknownFields[venue.unknownFields]} A field that the type of an order does not use is ignored with any value. \`null\` counts as
  absent. The header \`X-Gatewright-Ignored\` of an answer names what was not used.
- A body is one JSON object of at most ${jsonLimits.members} members, ${jsonLimits.depth} levels and ${jsonLimits.stringLength} characters in a string.
- Placing an order is idempotent on \`client_order_id\`: after a lost answer, send the same order again with a new nonce.
- Each operation lists claims (\`x-claims\`); the key needs one of them.
- \`X-Request-Id\` is echoed, or made by the venue, and is in every error.
- HTTP/1.1 or 1.0. A path answers to the methods in this document, and to HEAD where it has GET; any other gets 405, and
  \`Allow\` lists the allowed ones. A connection may be idle for 60 seconds.
- Where rates are limited, \`X-RateLimit-*\` headers show the remaining requests, and \`Retry-After\` of a 429 shows how long to wait.
`;

/** Beside this document wherever that is served, so the links are relative. */
const beside = `
## Stream

The order book, trades, candles and the account's own orders and wallets are also sent as they change, on one WebSocket at
\`/ws\`. Its messages are described in an AsyncAPI document: [asyncapi.json](asyncapi.json). A GET of that path without a
handshake of WebSocket version 13 gets 426 \`UPGRADE_REQUIRED\`.

## Controls of the sandbox

The controls of this venue, which no gateway has (move the clock, provoke failures, print trades, credit wallets), have an
OpenAPI document of their own: [control.json](control.json).

The ids in the paths of this document are those of the newest order and deposit of the client of the first key. Where there is no
order, the id is the one that an order placed at once gets. Deposits are made by a control (\`gatewright ctl deposit create\`).
`;

/** Title first, then signing, conventions, the stream and the table of errors: the order in which a newcomer needs them. */
export function description(signed: boolean, venue: DocumentedVenue, host: string): string {
  const intro =
    "Place and read orders on trading pairs, read market data, wallets, deposits and account settings. This is the " +
    "interface as the Gatewright simulator serves it; where the interface document is silent, the simulator's own choice is shown.";
  return `${intro}\n${signed ? signing(venue.auth, host) : unsigned}${conventions(venue)}${beside}${errorTable()}`;
}

const unsigned = `
This variant of the document has no security schemes: it is meant for tools that reach the venue through a proxy that
signs their requests (\`gatewright proxy\`).
`;

function errorTable(): string {
  const rows = Object.entries(errorStatus).flatMap(([code, status]) => row(code as ErrorCode, status));
  return `
## Errors

A refusal has \`success: false\`, a \`message\` for people, a stable \`code\` for programs, and facts in \`details\`.
Each operation lists its own codes; the others belong to HTTP and are possible for any request.

| Status | Code | When |
|---|---|---|
${rows.join("\n")}
`;
}

function row(code: ErrorCode, status: number): string[] {
  if (!isTradingCode(code)) return [];
  const shown = code === "PRODUCT_NOT_FOUND" ? "400, 404" : String(status);
  return [`| ${shown} | \`${code}\` | ${refusalTexts[code].when} |`];
}

export const tags: readonly { readonly name: string; readonly description: string }[] = [
  {
    name: "Orders",
    description: "Place orders, read them, cancel them. Orders belong to the client: all its keys see them.",
  },
  { name: "Order Book", description: "Snapshots of the best prices of a pair." },
  { name: "Products", description: "Tradable pairs, grouped and ungrouped, and their candles." },
  { name: "Assets", description: "Assets available to the account, with their networks." },
  { name: "Wallets", description: "Balances and holds, deposit addresses, deposits." },
  { name: "Account", description: "Trading fee and effective settings of the account." },
  { name: "Health", description: "Probes. They take unsigned requests and are not limited." },
];

const header = (name: string, text: string): Readonly<Record<string, string>> => ({
  type: "apiKey",
  in: "header",
  name,
  description: text,
});

/** Four headers that are needed together; OpenAPI has no scheme that computes a signature. */
export const securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ApiKey: header("X-API-KEY", "The key id. The secret is never sent."),
  ApiTimestamp: header("X-API-TIMESTAMP", "The time that was signed, in milliseconds since the epoch."),
  ApiNonce: header("X-API-NONCE", "The nonce that was signed: a UUID, used once."),
  ApiSignature: header(
    "X-API-SIGNATURE",
    "HMAC-SHA256 of the canonical text, 64 hex digits, new for each request. `gatewright sign` prints one; `gatewright proxy` signs for tools that cannot. See *Signing a request*.",
  ),
};
