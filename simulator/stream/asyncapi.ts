/**
 * The AsyncAPI 3 document of the stream, made from the schemas that the stream is tested against, its table of channels
 * and its close codes. The same host gives the same text. Nothing here runs before the first request for the document.
 *
 * The document speaks as the venue: its own messages have the action `send`. There is one AsyncAPI channel, because there is
 * one connection; the channels that a client subscribes to are operations, and share their names.
 */

import type { Schema } from "../schema/fields.ts";
import { titled } from "../schema/titled.ts";
import { schemaComponents } from "../wire/components.ts";
import { record, text } from "../wire/schema.ts";
import { allChannels, type Channel, channelNames, closeCodes } from "./channels.ts";
import { clientMessages } from "./client-messages.ts";
import { exampleOf } from "./message-example.ts";
import { type MessageSchema, serverMessages } from "./messages.ts";

type Node = Readonly<Record<string, unknown>>;

export interface AsyncApiSource {
  /** Host and port under which the document was asked for: the venue may be behind a proxy. */
  readonly host: string;
  readonly protocol: "ws" | "wss";
  /** Prefix of the trading paths. */
  readonly prefix: string;
}

export function asyncApiDocument({ host, protocol, prefix }: AsyncApiSource): Node {
  const messages = [...clientMessages, ...serverMessages];
  return {
    asyncapi: "3.0.0",
    info: infoOf(prefix),
    defaultContentType: "application/json",
    servers: {
      venue: {
        host,
        protocol,
        description: "This venue",
        security: [pointer("securitySchemes", "Signature")],
      },
    },
    channels: {
      stream: {
        address: `${prefix}/ws`,
        title: "The stream",
        description: "One WebSocket; a client subscribes on it to any number of channels.",
        servers: [{ $ref: "#/servers/venue" }],
        messages: Object.fromEntries(messages.map(({ name }) => [name, pointer("messages", name)])),
        bindings: {
          ws: { method: "GET", headers: titled("Handshake", handshakeSchema), bindingVersion: "0.1.0" },
        },
      },
    },
    operations: {
      ...requests(),
      ...Object.fromEntries(channelNames.map((name) => [name, channelOf(name)])),
    },
    components: {
      messages: Object.fromEntries(messages.map((message) => [message.name, messageOf(message)])),
      schemas: schemasOf(messages.map(({ schema }) => schema)),
      securitySchemes: {
        Signature: {
          type: "httpApiKey",
          in: "header",
          name: "X-API-KEY",
          description:
            "Key id. Three more headers belong to it: time, nonce and signature, as for any request.",
        },
      },
    },
  };
}

const infoOf = (prefix: string): Node => ({
  title: "Order Trading Gateway: the stream",
  version: "1.0",
  description: description(prefix),
  license: { name: "MIT" },
  contact: { name: "The maintainers of Gatewright" },
  tags: [
    { name: "market", description: "Books, trades, tickers and candles of the products." },
    { name: "account", description: "Orders, wallets and deposits of the client." },
    { name: "connection", description: "Subscriptions, pings and heartbeats." },
  ],
});

const pointer = (kind: string, name: string): Node => ({ $ref: `#/components/${kind}/${name}` });
const inStream = (names: readonly string[]): readonly Node[] =>
  names.map((name) => ({ $ref: `#/channels/stream/messages/${name}` }));

const messageOf = ({ name, schema }: MessageSchema): Node => ({
  name,
  title: name,
  summary: schema.description,
  payload: titled(name, schema),
  // A request names one channel or several, and intervals for candles alone.
  examples: [{ payload: exampleOf(schema, ["channels", "granularity"]) }],
});

const handshakeSchema: Schema = record(
  "The four headers of any signed request; a handshake is a GET without a body.",
  {
    "X-API-KEY": text("Key id."),
    "X-API-TIMESTAMP": text("The time that was signed, in milliseconds since the epoch."),
    "X-API-NONCE": text("The nonce that was signed: a UUID, used once."),
    "X-API-SIGNATURE": text("HMAC-SHA256 of the canonical text, in hex."),
  },
);

/** Requests of a client, and their answers. */
function requests(): Readonly<Record<string, Node>> {
  const asks = (message: string, answer: string, summary: string): Node => ({
    action: "receive",
    channel: { $ref: "#/channels/stream" },
    summary,
    description: `A message \`${message}\` of the client, answered with \`${answer}\`, or with \`Error\`.`,
    messages: inStream([message]),
    reply: { channel: { $ref: "#/channels/stream" }, messages: inStream([answer, "Error"]) },
  });
  return {
    subscribe: asks(
      "Subscribe",
      "Subscriptions",
      "Ask for channels. Asking again brings new snapshots. Products add up, but for `orders`: its products are one filter, and the last message decides.",
    ),
    unsubscribe: asks("Unsubscribe", "Subscriptions", "End subscriptions."),
    ping: asks("Ping", "Pong", "Ask for a pong."),
  };
}

function channelOf(name: Channel): Node {
  const { claim, snapshot, update, products } = allChannels[name];
  const about = [
    snapshot === null ? "No snapshot." : `Snapshot: ${snapshot}`,
    `Update: ${update}`,
    `Products: ${products}.`,
    claim === null ? "Any key." : `Claim: \`${claim}\`.`,
  ];
  return {
    action: "send",
    channel: { $ref: "#/channels/stream" },
    summary: update,
    description: about.join("\n\n"),
    ...(claim === null ? {} : { "x-claims": [claim] }),
    messages: inStream(
      serverMessages.filter(({ channel }) => channel === name).map((message) => message.name),
    ),
  };
}

const componentPrefix = "#/components/schemas/";

/** The names of the components that a schema refers to. */
function referredTo(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" && value.startsWith(componentPrefix)
      ? [value.slice(componentPrefix.length)]
      : referredTo(value),
  );
}

/** The records that the messages name, and those that these name in turn. */
function schemasOf(roots: readonly Schema[]): Readonly<Record<string, Schema>> {
  const found = new Map<string, Schema>();
  const visit = (schema: Schema): void => {
    for (const name of referredTo(schema)) {
      const component = schemaComponents[name];
      if (component === undefined || found.has(name)) continue;
      found.set(name, titled(name, component));
      visit(component);
    }
  };
  roots.forEach(visit);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const description = (prefix: string): string =>
  `
Market and account data as they change, on one WebSocket.

## Connecting

The handshake is a GET of \`${prefix}/ws\`, signed like any request without a body. A handshake that is refused is
answered with an ordinary HTTP error that says why. Browsers cannot set the headers: this is for programs.

| Status | Why a handshake is refused |
|---|---|
| 400 | it breaks a rule of HTTP or of WebSocket |
| 401 | the signature, as on any route |
| 403 | a web page of another origin |
| 405 | another method than GET |
| 426 | \`UPGRADE_REQUIRED\`: no upgrade to \`websocket\`, or another \`Sec-WebSocket-Version\` than 13 |
| 429 | the key has as many connections as it may have, or sends too much |
| 503 | the venue shuts down or cannot write |

## Messages

Every message is a JSON text. \`sequence\` counts the messages of a connection from 1, whatever their type, so a gap is a
loss. Ignore types and members that you do not know. A subscription is acknowledged first; then come the snapshots, then
the updates.

## Keeping a copy that is right

- Order book: take the snapshot; apply an update when its \`prevBookSequence\` is where your book stands, drop it when
  your book is at or past its \`bookSequence\`, and subscribe again otherwise. Quantities are absolute, \`"0"\` removes a
  level. Keep 100 levels a side. The read of the book numbers its states in the same way.
- Orders: know them by \`clientOrderId\`, because an event may arrive before the answer to the order does. Drop an event
  whose \`revision\` is not higher than what you know. After a disconnect take the snapshot, and read each order that was
  open before and is not in it.
- Connection: there is no resuming. Subscribe to \`heartbeat\`; three seconds without a message mean that the connection
  is dead.

## Why a connection is closed

| Code | Reason |
|---|---|
${Object.entries(closeCodes)
  .map(([code, reason]) => `| ${code} | ${reason} |`)
  .join("\n")}
`.trimStart();
