/** Runs a stream client of this folder, in either language, and collects what it makes of the book and of one order. */
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { Gateway } from "../stream/gateway.ts";
import type { Level } from "../stream/local-book.ts";
import { Stream } from "../stream/stream.ts";

export type Language = "TypeScript" | "Python";

export interface State {
  readonly sequence: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** Status of the watched order, as far as the client knows it. */
  readonly order: string | null;
}

export interface Follower {
  /** The first state that fits, past or to come. */
  state(fits: (state: State) => boolean): Promise<State>;
  /** Messages of the client about its connections. */
  readonly notes: readonly string[];
  stop(): void;
}

/** Where to connect, and the client_order_id of the order to watch. */
export interface Followed {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
  readonly order: string;
}

export function follow(language: Language, followed: Followed): Follower {
  const states: State[] = [];
  const notes: string[] = [];
  const waiting = new Set<() => void>();
  const take = (state: State): void => {
    states.push(state);
    for (const look of waiting) look();
  };
  const stop = language === "TypeScript" ? inProcess(followed, take, notes) : inPython(followed, take, notes);
  const state: Follower["state"] = (fits) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = states.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { state, notes, stop };
}

function inProcess(
  { baseUrl, keyId, secret, order }: Followed,
  take: (state: State) => void,
  notes: string[],
): () => void {
  const stream = new Stream(new Gateway(baseUrl, keyId, secret), "BTC-USD");
  stream.on("note", (sentence: string) => notes.push(sentence));
  stream.on("error", (error: Error) => notes.push(error.message));
  stream.on("change", () => {
    const { sequence } = stream.book;
    if (sequence !== undefined)
      take({ sequence, ...stream.book.levels(), order: stream.orders.get(order)?.status ?? null });
  });
  void stream.connect();
  return () => stream.disconnect();
}

const program = `
import json, sys
from gateway import Gateway
from stream import Stream
base_url, key_id, secret, watched = sys.argv[1:]
stream = Stream(Gateway(base_url, key_id, secret), "BTC-USD")
def look():
    if stream.book.sequence is not None:
        order = (stream.orders.get(watched) or {}).get("status")
        print(json.dumps({"sequence": stream.book.sequence, **stream.book.levels(), "order": order}), flush=True)
    return False
stream.until(look, timeout=60)
`;

function inPython(
  { baseUrl, keyId, secret, order }: Followed,
  take: (state: State) => void,
  notes: string[],
): () => void {
  const cwd = path.join(import.meta.dirname, "..", "stream");
  const env = { ...process.env, PYTHONPATH: cwd, PYTHONDONTWRITEBYTECODE: "1", NO_PROXY: "*", no_proxy: "*" };
  const child = spawn("python3", ["-c", program, baseUrl, keyId, secret, order], { cwd, env });
  createInterface(child.stdout).on("line", (line) => take(JSON.parse(line) as State));
  createInterface(child.stderr).on("line", (line) => notes.push(line));
  return () => child.kill();
}
