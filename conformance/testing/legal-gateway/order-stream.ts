import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Change, OrderDesk } from "./order-desk.ts";
import type { SignatureCheck } from "./signature.ts";

/**
 * The stream of the legal gateway, in a shape of its own: a frame is a list of messages, a message is a list of four parts (kind, topic,
 * number, payload), numbers count per topic, an order event carries only what has changed, and books are lists of pairs.
 * A defect is what a kit has to notice; `refusal` is a legal variation that it should remark on unless the profile says so.
 */
export interface StreamOptions {
  readonly defect?:
    | "accepts-anybody"
    | "accepts-again"
    | "refuses-everybody"
    | "leaks"
    | "silent"
    | "falls-silent"
    | "numbers-as-numbers"
    | "skips-a-number";
  /** Turns strangers away with another status, or after the upgrade with a close of that code. */
  readonly refusal?: number;
}

export const streamPath = "/feeds/v2";

type Message = readonly [kind: string, topic: string | null, number: string, payload: unknown];

type Desks = ReadonlyMap<string, OrderDesk>;

interface Listener {
  readonly socket: WebSocket;
  readonly client: string;
  readonly topics: Set<string>;
  readonly counts: Map<string, number>;
}

export function attachStream(
  server: Server,
  desks: ReadonlyMap<string, OrderDesk>,
  check: SignatureCheck,
  clientOf: (keyId: string) => string,
  options: StreamOptions,
): { readonly close: () => void } {
  const hub = new WebSocketServer({ noServer: true });
  const listeners = new Set<Listener>();
  const { defect } = options;
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const welcome =
      request.url === streamPath &&
      (defect === "accepts-anybody" ||
        (defect === "accepts-again"
          ? check.isSigned(request, Buffer.alloc(0))
          : check.accepts(request, Buffer.alloc(0))));
    if (request.url !== streamPath) return refuse(socket, "404 Not Found");
    const { refusal = 401 } = options;
    const closes = refusal >= 1000;
    if (defect === "refuses-everybody" || (!welcome && !closes))
      return refuse(socket, closes ? "401 Unauthorized" : `${refusal} Refused`);
    hub.handleUpgrade(request, socket, head, (opened) => {
      opened.on("error", () => opened.terminate());
      if (!welcome) return opened.close(refusal, "who are you?");
      join(opened, clientOf(String(request.headers["x-api-key"] ?? "")));
    });
  });
  const join = (socket: WebSocket, client: string): void => {
    const listener: Listener = { socket, client, topics: new Set(), counts: new Map() };
    listeners.add(listener);
    socket.on("close", () => listeners.delete(listener));
    socket.on("message", (data: Buffer) => answer(data.toString("utf8"), listener, desks, options));
  };
  for (const [client, desk] of desks)
    desk.onChange = (change) => {
      // The answer to the request may be there before or after the event.
      setTimeout(() => {
        for (const listener of listeners) announce(change, client, listener, desks, options);
      }, 2);
    };
  return {
    close: () => {
      for (const { socket } of listeners) socket.terminate();
      hub.close();
    },
  };
}

function refuse(socket: Duplex, status: string): void {
  const body = JSON.stringify({ title: "refused", message: ["who are you?"] });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function answer(text: string, listener: Listener, desks: Desks, options: StreamOptions): void {
  const request = requestIn(text);
  if (request === undefined) return send(listener, options, ["oops", null, "I do not understand"]);
  const [verb, topic, pair] = request;
  if (topic !== "mine" && topic !== "depth")
    return send(listener, options, ["oops", topic, "there is no such topic"]);
  const subject = topic === "mine" ? topic : `${topic} ${pair}`;
  if (verb === "leave")
    // What happens before the confirmation is still told.
    return void setTimeout(() => {
      listener.topics.delete(subject);
      send(listener, options, ["left", topic, null]);
    }, leavesAfterMs);
  listener.topics.add(subject);
  const first: Part[] = [["joined", topic, null]];
  if (topic === "mine") first.push(["all", topic, desks.get(listener.client)?.open() ?? []]);
  else first.push(["image", topic, { pair, ...bookOf(desks, pair) }]);
  send(listener, options, ...first);
}

const leavesAfterMs = 60;

type Request = readonly [verb: "join" | "leave", topic: string, pair: string];

function requestIn(text: string): Request | undefined {
  try {
    const { do: verb, topic, pair } = JSON.parse(text) as Record<string, unknown>;
    return (verb === "join" || verb === "leave") && typeof topic === "string"
      ? [verb, topic, String(pair ?? "")]
      : undefined;
  } catch {
    return undefined;
  }
}

const silentAfter = 200;

function announce(
  { order, what }: Change,
  client: string,
  listener: Listener,
  desks: Desks,
  options: StreamOptions,
): void {
  const { defect } = options;
  const parts: Part[] = [];
  const own = listener.client === client || defect === "leaks";
  // The numbers of a topic go on while nobody listens.
  if (own && !listener.topics.has("mine")) counted(listener, "mine");
  const told = listener.counts.get("mine") ?? 0;
  const silent = defect === "silent" || (defect === "falls-silent" && told > silentAfter);
  if (own && listener.topics.has("mine") && !silent) {
    const { id, clientOrderId, productId, status, side, baseQuantity } = order;
    const amount = defect === "numbers-as-numbers" ? Number(baseQuantity) : baseQuantity;
    const changed = what === "placed" ? { side, baseQuantity: amount } : {};
    parts.push([
      "changed",
      "mine",
      { record: { id, clientOrderId, productId, status, ...changed }, why: what },
    ]);
  }
  const pair = String(order["productId"]);
  if (listener.topics.has(`depth ${pair}`)) parts.push(["image", "depth", { pair, ...bookOf(desks, pair) }]);
  if (parts.length > 0) send(listener, options, ...parts);
}

function bookOf(desks: Desks, pair: string): { b: unknown; a: unknown } {
  const all = (side: string) => [...desks.values()].flatMap((desk) => desk.resting(pair, side));
  return { b: all("BUY"), a: all("SELL") };
}

type Part = readonly [kind: string, topic: string | null, payload: unknown];

/** Everything that happens at once goes out in one frame. */
function send(listener: Listener, { defect }: StreamOptions, ...parts: Part[]): void {
  const messages = parts.map(([kind, topic, payload]): Message => {
    const next = counted(listener, topic ?? "", defect);
    return [kind, topic, String(next), payload];
  });
  listener.socket.send(JSON.stringify(messages));
}

function counted({ counts }: Listener, topic: string, defect?: StreamOptions["defect"]): number {
  const last = counts.get(topic) ?? 0;
  const next = last + (defect === "skips-a-number" && last === 2 ? 2 : 1);
  counts.set(topic, next);
  return next;
}
