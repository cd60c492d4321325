/** Bugs and legal habits of the stream: M-134 to M-138, M-163, M-175 to M-179, V-50, V-51. */
import { createHash, randomUUID } from "node:crypto";
import type { Authenticator, Screened } from "../auth/authenticate.ts";
import { ok } from "../domain/result.ts";
import type { Handshake } from "../http/upgrade.ts";
import type { SeamParts } from "../seams.ts";
import { type Grant, LOST } from "../stream/habits.ts";
import { type Decorators, type Defect, defect } from "./defect.ts";
import { blindTo, forgiving } from "./freshness.ts";
import { type Fields, mapObjects } from "./json.ts";
import { onlyAccepting } from "./rightly-signed.ts";

/** Whoever comes is taken for the key that they name, or else for the venue's first. */
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

/** Whoever subscribes to orders hears those of all clients. */
const leaking =
  ({ venue }: SeamParts) =>
  (inner: Grant): Grant =>
  (wish, access) => {
    const granted = inner(wish, access);
    if (!granted.ok) return granted;
    const strangers = venue.state.clients.map(({ index }) => index);
    return ok(
      granted.value.flatMap((one) => {
        if (one.channel !== "orders" || one.client === null) return [one];
        const others = strangers.filter((client) => client !== one.client);
        return [one, ...others.map((client) => ofClient(one, client, access))];
      }),
    );
  };

type Granted = Extract<ReturnType<Grant>, { readonly ok: true }>["value"][number];

function ofClient(one: Granted, client: number, { audiences, state }: Parameters<Grant>[1]): Granted {
  const market = one.product === null ? null : (state.marketOf(one.product)?.product.index ?? null);
  const audience = audiences.accounts[client]?.ordersOf(market);
  return { ...one, key: `${one.key} of ${client}`, client, audience: audience ?? one.audience };
}

const isOrderUpdate = ({ type, channel }: Fields): boolean => type === "update" && channel === "orders";

const isBook =
  (kind: "snapshot" | "update") =>
  ({ type, channel }: Fields): boolean =>
    type === kind && channel === "orderBook";

/** Who gives should have taken: the sides of a book or of a change, the wrong way round. */
function swapped(message: Fields): Fields {
  // as: `data` of a book's update is an object.
  const { bids, asks, ...data } = message["data"] as Fields;
  return { ...message, data: { ...data, bids: asks, asks: bids } };
}

const replacing = (
  meant: (message: Fields) => boolean,
  change: (message: Fields) => Fields | typeof LOST,
): Decorators => ({ message: (message) => [meant(message) ? change(message) : message] });

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const NOT_AMOUNTS = new Set(["tradeId", "requestId"]);

const numbers = (value: Fields): Fields =>
  Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      typeof item === "string" && DECIMAL.test(item) && !NOT_AMOUNTS.has(name) ? Number(item) : item,
    ]),
  );

/** More than anybody asked for: members, kinds of message, and a greeting behind each acknowledgement. */
function talkative(message: Fields): readonly Fields[] {
  const { type, channel, timestamp, data } = message;
  if (type === "subscriptions") return [message, { type: "notice", timestamp, text: "Welcome" }];
  if (typeof data !== "object" || data === null) return [{ ...message, region: "eu-1" }];
  const more = { ...message, region: "eu-1", data: { ...data, source: "core-2", status: "WORKING" } };
  return channel === "orders"
    ? [{ type: "marketStatus", channel: "status", timestamp, data: {} }, more]
    : [more];
}

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const POLICY_VIOLATION = 1008;

/** Switches protocols, and then closes at once and without a word of data. */
function closeAfterUpgrade({ request, socket, accept }: Handshake): void {
  const proof = createHash("sha1").update(`${request.headers["sec-websocket-key"]}${GUID}`).digest("base64");
  accept();
  socket.write(
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
      `Sec-WebSocket-Accept: ${proof}\r\n\r\n`,
  );
  const close = Buffer.from([0x88, 2, 0, 0]);
  close.writeUInt16BE(POLICY_VIOLATION, 2);
  socket.end(close);
  socket.resume();
}

export const STREAM_DEFECTS: readonly Defect[] = [
  defect("M-134", (parts) => ({ handshake: welcoming(parts) })),
  defect("M-135", (parts) => {
    const anyNonce = forgiving(() => true);
    const anyTime = blindTo(parts, () => true);
    return { handshake: (inner) => anyTime(anyNonce(inner)) };
  }),
  defect("M-136", (parts) => ({ grant: leaking(parts) })),
  defect("M-137", () => ({ message: (message) => (isOrderUpdate(message) ? [] : [message]) })),
  defect("M-138", () => ({
    // as: an object that goes in comes out as one.
    message: (message) => [mapObjects(message, numbers) as Fields],
  })),
  defect("M-163", () => ({ handshake: onlyAccepting(() => false) })),
  defect("M-175", () => replacing(isBook("update"), () => LOST)),
  defect("M-176", () => replacing(isBook("update"), swapped)),
  defect("M-177", () => ({ message: (message) => (message["type"] === "subscriptions" ? [] : [message]) })),
  defect("M-178", () => replacing(isBook("snapshot"), swapped)),
  defect("M-179", () =>
    replacing(
      ({ type }) => type === "snapshot",
      () => LOST,
    ),
  ),
  defect("V-50", () => ({ message: talkative })),
  defect("V-51", () => ({ refuseHandshake: closeAfterUpgrade })),
];
