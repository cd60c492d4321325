/**
 * An intermediary between the client and the gateway in tasks of the stream. It keeps the messages that the gateway
 * sends, can cut the first stream after a number of bytes, in the middle of a message too, and can keep the client away.
 */
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "./relay.ts";
import { isObject, jsonIn } from "./said.ts";
import { TextFrames } from "./text-frames.ts";

/** A WebSocket of the client, with what the gateway sent on it. */
export interface TappedStream {
  /** The messages, up to a number of characters. */
  readonly messages: readonly string[];
  /** Characters of the messages that were too many to keep. */
  readonly omitted: number;
}

export interface Tap {
  readonly baseUrl: string;
  /** In the order in which they were opened. */
  readonly streams: readonly TappedStream[];
  /** Whether a whole snapshot of the channel has left for the client. */
  hasSnapshot(): boolean;
  /** Cuts the streams of the client and lets it open none until this has been done. */
  away(act: () => Promise<void>): Promise<void>;
  close(): void;
}

const mostKept = 65_536;

/** The most streams that are kept of one client. */
const mostStreams = 50;

class Stream implements TappedStream {
  readonly messages: string[] = [];
  hasSnapshot = false;
  omitted = 0;
  readonly cut: () => void;
  readonly #channel: string;
  readonly #frames = new TextFrames();
  #kept = 0;

  constructor(channel: string, cut: () => void) {
    this.#channel = channel;
    this.cut = cut;
  }

  hear(bytes: Buffer): void {
    for (const text of this.#frames.read(bytes)) {
      const message = jsonIn(text);
      this.hasSnapshot ||= isObject(message) && endsSnapshot(message, this.#channel);
      if (this.#kept + text.length > mostKept) this.omitted += text.length;
      else {
        this.#kept += text.length;
        this.messages.push(text);
      }
    }
  }
}

type Message = Readonly<Record<string, unknown>>;

/** A long snapshot has several messages. */
const endsSnapshot = ({ type, channel, data }: Message, wanted: string): boolean =>
  type === "snapshot" && channel === wanted && (!isObject(data) || data["final"] !== false);

interface Tapped {
  /** The channel that the task is about. */
  readonly channel: string;
  readonly cutsAfter?: number | undefined;
}

export async function startTap(baseUrl: string, { channel, cutsAfter = Infinity }: Tapped): Promise<Tap> {
  const { hostname, port, pathname } = new URL(baseUrl);
  const sockets = new Set<Socket>();
  const streams: Stream[] = [];
  let isAway = false;
  let left = cutsAfter;
  const server = createServer((client) => {
    const gateway = connect(Number(port), hostname);
    let stream: Stream | undefined;
    const end = (): void => void [client.destroy(), gateway.destroy()];
    for (const socket of [client, gateway]) {
      sockets.add(socket);
      socket.on("error", end).on("close", () => void [end(), sockets.delete(socket)]);
    }
    client.on("data", (bytes) => {
      if (stream === undefined && bytes.toString("latin1").startsWith(`GET ${pathname}/ws`)) {
        if (isAway) return end();
        stream = new Stream(channel, end);
        if (streams.length < mostStreams) streams.push(stream);
      }
      gateway.write(bytes);
    });
    gateway.on("data", (bytes) => {
      const isFirst = stream !== undefined && stream === streams[0];
      const sent = isFirst && bytes.length >= left ? bytes.subarray(0, left) : bytes;
      stream?.hear(sent);
      if (isFirst) left -= bytes.length;
      if (sent.length === bytes.length) return void client.write(bytes);
      client.end(sent);
      gateway.destroy();
    });
  });
  return {
    baseUrl: `http://127.0.0.1:${await portOf(server)}${pathname}`,
    streams,
    hasSnapshot: () => streams.some(({ hasSnapshot }) => hasSnapshot),
    away: async (act) => {
      isAway = true;
      for (const stream of streams) stream.cut();
      await act().finally(() => (isAway = false));
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
