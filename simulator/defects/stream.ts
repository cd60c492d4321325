/** Bugs and legal variations of the stream. */
import { createHash, randomUUID } from "node:crypto";
import type { Authenticator, Screened } from "../auth/authenticate.ts";
import { ok } from "../domain/result.ts";
import type { Handshake } from "../http/upgrade.ts";
import type { SeamParts } from "../seams.ts";
import { lost } from "../stream/frame.ts";
import type { Grant } from "../stream/subscriptions.ts";
import { accountTopic } from "../stream/topics.ts";
import { bug, type Decorators, type Defect, variation } from "../variations/defect.ts";
import { type Fields, mapObjects } from "../variations/json.ts";
import { onlyAccepting } from "../variations/rightly-signed.ts";
import { blindTo, forgiving } from "./freshness.ts";

/** A handshake is accepted for the key that it names, or else for the first key of the venue. */
const welcoming =
  ({ keyring, venue, now }: SeamParts) =>
  (inner: Authenticator): Authenticator => ({
    ...inner,
    screen: (sent) => {
      const key = keyring.find(sent.keyId) ?? keyring.find(venue.world.keys[0]?.keyId ?? "");
      if (key === undefined) return inner.screen(sent);
      return ok({ sent, key, timestamp: now(), nonce: randomUUID().replaceAll("-", "") });
    },
    verify: ({ key: { caller }, timestamp, nonce }: Screened) =>
      ok({ caller, nonce: { key: caller.key, nonce, timestamp, receivedAt: timestamp } }),
  });

/** A subscriber to orders gets those of all clients. */
const leaking =
  ({ venue }: SeamParts) =>
  (inner: Grant): Grant =>
  (request, access) => {
    const granted = inner(request, access);
    if (!granted.ok) return granted;
    const strangers = venue.state.clients.map(({ index }) => index);
    return ok(
      granted.value.flatMap((one) => {
        if (one.channel !== "orders" || one.client === null) return [one];
        const others = strangers.filter((client) => client !== one.client);
        return [
          one,
          ...others.map((client) => ({
            ...one,
            key: `${one.key} of ${client}`,
            topic: accountTopic(one.channel, client, one.product),
            client,
          })),
        ];
      }),
    );
  };

const isOrderUpdate = ({ type, channel }: Fields): boolean => type === "update" && channel === "orders";

const isBook =
  (kind: "snapshot" | "update") =>
  ({ type, channel }: Fields): boolean =>
    type === kind && channel === "orderBook";

/** The sides of a book, or of a change of one, exchanged. */
function swapped(message: Fields): Fields {
  // as: `data` of a book's update is an object.
  const { bids, asks, ...data } = message["data"] as Fields;
  return { ...message, data: { ...data, bids: asks, asks: bids } };
}

const replacing = (
  meant: (message: Fields) => boolean,
  change: (message: Fields) => Fields | typeof lost,
): Decorators => ({ message: (message) => [meant(message) ? change(message) : message] });

const decimal = /^-?\d+(?:\.\d+)?$/;
const notAmounts = new Set(["tradeId", "requestId"]);

const numbers = (value: Fields): Fields =>
  Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      typeof item === "string" && decimal.test(item) && !notAmounts.has(name) ? Number(item) : item,
    ]),
  );

/** Additions to the stream: members, kinds of message, and a greeting after each acknowledgement. */
function talkative(message: Fields): readonly Fields[] {
  const { type, channel, timestamp, data } = message;
  if (type === "subscriptions") return [message, { type: "notice", timestamp, text: "Welcome" }];
  if (typeof data !== "object" || data === null) return [{ ...message, region: "eu-1" }];
  const more = { ...message, region: "eu-1", data: { ...data, source: "core-2", status: "WORKING" } };
  return channel === "orders"
    ? [{ type: "marketStatus", channel: "status", timestamp, data: {} }, more]
    : [more];
}

const guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const policyViolation = 1008;

/** Switches protocols, and then closes at once and without a word of data. */
function closeAfterUpgrade({ request, socket, accept }: Handshake): void {
  const proof = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${guid}`).digest("base64");
  accept();
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${proof}\r\n\r\n`,
  );
  const close = Buffer.from([0x88, 2, 0, 0]);
  close.writeUInt16BE(policyViolation, 2);
  socket.end(close);
  socket.resume();
}

export const streamDefects: readonly Defect[] = [
  bug("M-134", "A handshake asks for no credentials", ["EVT-03", "EVT-04"], (parts) => ({
    handshake: welcoming(parts),
  })),
  bug("M-135", "A handshake looks at neither nonce nor timestamp", ["EVT-04", "EVT-05"], (parts) => {
    const anyNonce = forgiving(() => true);
    const anyTime = blindTo(parts, () => true);
    return { handshake: (inner) => anyTime(anyNonce(inner)) };
  }),
  bug("M-136", "The stream tells everybody's orders to everybody", ["EVT-09"], (parts) => ({
    grant: leaking(parts),
  })),
  bug("M-137", "The stream says nothing of an order's changes", ["EVT-07"], () => ({
    message: (message) => (isOrderUpdate(message) ? [] : [message]),
  })),
  bug("M-138", "Decimals of the stream are numbers", ["GEN-04"], () => ({
    // as: an object that goes in comes out as one.
    message: (message) => [mapObjects(message, numbers) as Fields],
  })),
  bug("M-163", "A right signature on a handshake is refused", ["EVT-02"], () => ({
    handshake: onlyAccepting(() => false),
  })),
  bug("M-175", "Updates of the book are lost, and their numbers are missing", ["EVT-11"], () =>
    replacing(isBook("update"), () => lost),
  ),
  bug("M-176", "Updates of the book have bids and asks the wrong way round", ["EVT-08"], () =>
    replacing(isBook("update"), swapped),
  ),
  bug("M-177", "A subscription is not confirmed", ["EVT-06"], () => ({
    message: (message) => (message["type"] === "subscriptions" ? [] : [message]),
  })),
  bug("M-178", "The first picture of a book has bids and asks the wrong way round", ["EVT-08"], () =>
    replacing(isBook("snapshot"), swapped),
  ),
  bug("M-179", "The first picture of a channel is lost, and its number is missing", ["EVT-11"], () =>
    replacing(
      ({ type }) => type === "snapshot",
      () => lost,
    ),
  ),
  variation("V-50", "The stream has more members, more kinds of message and unrequested messages", () => ({
    message: talkative,
  })),
  variation("V-51", "A handshake is refused by closing right after the upgrade", () => ({
    refuseHandshake: closeAfterUpgrade,
  })),
];
