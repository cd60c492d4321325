/** Runs the client once, in a world of its own, and gathers what the rules judge. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as kit from "../../conformance/commands.ts";
import { type ClientEnd, runClient } from "../client-process.ts";
import type { Evidence } from "./evidence.ts";
import { othersAt } from "./others.ts";
import { type Relay, startRelay } from "./relay.ts";
import { readSaid } from "./said.ts";
import { Session } from "./session.ts";
import type { Others, Situation } from "./situation.ts";
import { product } from "./situations/orders.ts";
import { startTap, type Tap } from "./stream-tap.ts";
import { candidate, colleague, Venue } from "./venue.ts";

export interface Examinee {
  /** For the shell. */
  readonly command: string;
  /** For one situation, beyond the seconds that its task names. */
  readonly limitMs: number;
  readonly seed: number;
  /** Ends the client under way. */
  readonly signal?: AbortSignal | undefined;
}

export async function runSituation(situation: Situation, examinee: Examinee): Promise<Evidence> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatewright-exam-"));
  try {
    await using venue = await Venue.start(situation, examinee.seed, folder);
    return await runAt(venue, situation, { ...examinee, folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Run extends Examinee {
  readonly folder: string;
}

async function runAt(venue: Venue, situation: Situation, run: Run): Promise<Evidence> {
  const { secret } = venue.key(candidate);
  const session = new Session({ baseUrl: venue.baseUrl, ...venue.key(colleague) });
  const ofOthers = new Set<string>();
  const ended = new AbortController();
  let begunWithout = false;
  const tap = await tapOf(venue, situation);
  const others = othersAt({
    venue,
    session,
    tap,
    note: ({ id }) => ofOthers.add(id),
    connectWithinMs: ((situation.seconds ?? 0) * 1000) / 2,
    beginWithout: () => (begunWithout = true),
    signal: ended.signal,
  });
  await situation.before?.(others);
  const startedAt = Date.now();
  let overAt = Infinity;
  const meanwhile = done(situation, others).finally(() => (overAt = performance.now()));
  const relay = tap ?? (await relayOf(venue, situation, meanwhile));
  const end = await clientAt(venue, situation, { ...run, baseUrl: relay?.baseUrl ?? venue.baseUrl });
  const quietMs = performance.now() - overAt;
  ended.abort();
  relay?.close();
  const trouble = await meanwhile;
  // A client that ends early leaves the others waiting for it; whatever else goes wrong is an error of ours.
  if (trouble instanceof Error && trouble.name !== "AbortError") throw trouble;
  return {
    situation,
    startedAt,
    sent: await venue.sent(),
    streams: tap?.streams ?? [],
    orders: await session.orders(),
    ofOthers,
    book: situation.task === "book" ? await session.book(product) : undefined,
    end,
    quietMs,
    listenedLate: begunWithout && tap?.hasSnapshot() === true,
    said: readSaid(end.stdout, situation.task),
    secrets: new kit.Redactor(new Map([["secret", secret]])),
  };
}

/** The error of the others, if there was one. */
const done = ({ meanwhile }: Situation, others: Others): Promise<Error | undefined> =>
  (meanwhile?.(others) ?? Promise.resolve()).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );

const channels = { follow: "orders", book: "orderBook", place: undefined, cancel: undefined } as const;

async function tapOf({ baseUrl }: Venue, { task, cutsStreamAfter }: Situation): Promise<Tap | undefined> {
  const channel = channels[task];
  return channel === undefined ? undefined : startTap(baseUrl, { channel, cutsAfter: cutsStreamAfter });
}

const relayOf = async (
  { baseUrl }: Venue,
  { relay: trick }: Situation,
  meanwhile: Promise<unknown>,
): Promise<Relay | undefined> =>
  trick === undefined ? undefined : startRelay(baseUrl, { trick, meanwhile });

async function clientAt(
  venue: Venue,
  situation: Situation,
  { command, limitMs, signal, folder, baseUrl }: Run & { readonly baseUrl: string },
): Promise<ClientEnd> {
  const task = path.join(folder, `${randomUUID()}.json`);
  await writeFile(task, JSON.stringify(taskOf(situation)));
  const { keyId, secret } = venue.key(candidate);
  const environment = {
    GATEWRIGHT_BASE_URL: baseUrl,
    GATEWRIGHT_WS_URL:
      channels[situation.task] === undefined ? venue.wsUrl : `${baseUrl.replace("http", "ws")}/ws`,
    GATEWRIGHT_KEY_ID: keyId,
    GATEWRIGHT_SECRET: secret,
    GATEWRIGHT_TASK: task,
  };
  const wholeMs = limitMs + (situation.seconds ?? 0) * 1000;
  return runClient({ command, environment, mark: task, limitMs: wholeMs, signal });
}

function taskOf({ task, orders = [], seconds = 0 }: Situation): object {
  switch (task) {
    case "place":
    case "cancel":
      return { task, orders };
    case "follow":
      return { task, seconds };
    case "book":
      return { task, product, seconds };
  }
}
