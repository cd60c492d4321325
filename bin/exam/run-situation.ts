/** Runs the client once, in a world of its own, and gathers what the rules judge. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ClientEnd, runClient } from "../client-process.ts";
import type { Kit } from "../control-access.ts";
import type { Evidence } from "./evidence.ts";
import { othersAt } from "./others.ts";
import { type Relay, startRelay } from "./relay.ts";
import { readSaid } from "./said.ts";
import { Session } from "./session.ts";
import type { Others, Situation } from "./situation.ts";
import { product } from "./situations/orders.ts";
import { startCutter } from "./stream-cutter.ts";
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

export async function runSituation(situation: Situation, examinee: Examinee, kit: Kit): Promise<Evidence> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatewright-exam-"));
  try {
    await using venue = await Venue.start(situation, examinee.seed, folder);
    return await runAt(venue, situation, { ...examinee, folder }, kit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Run extends Examinee {
  readonly folder: string;
}

async function runAt(venue: Venue, situation: Situation, run: Run, kit: Kit): Promise<Evidence> {
  const { secret } = venue.key(candidate);
  const redactor = new kit.Redactor(new Map([["secret", secret]]));
  const session = new Session({ baseUrl: venue.baseUrl, ...venue.key(colleague) }, kit);
  const ofOthers = new Set<string>();
  const ended = new AbortController();
  const others = othersAt({
    venue,
    session,
    note: ({ id }) => ofOthers.add(id),
    connectWithinMs: ((situation.seconds ?? 0) * 1000) / 2,
    signal: ended.signal,
  });
  await situation.before?.(others);
  let overAt = Infinity;
  const meanwhile = done(situation, others).finally(() => (overAt = performance.now()));
  const end = await clientAt(venue, situation, run);
  const quietMs = performance.now() - overAt;
  ended.abort();
  const trouble = await meanwhile;
  // A client that ends early leaves the others waiting for it; whatever else goes wrong is an error of ours.
  if (trouble instanceof Error && trouble.name !== "AbortError") throw trouble;
  return {
    situation,
    sent: await venue.sent(),
    orders: await session.orders(),
    ofOthers,
    book: situation.task === "book" ? await session.book(product) : undefined,
    end,
    quietMs,
    said: readSaid(end.stdout, situation.task),
    revealsSecret: (text) => redactor.finds(text),
  };
}

/** The error of the others, if there was one. */
const done = ({ meanwhile }: Situation, others: Others): Promise<Error | undefined> =>
  (meanwhile?.(others) ?? Promise.resolve()).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );

async function clientAt(
  venue: Venue,
  situation: Situation,
  { command, limitMs, signal, folder }: Run,
): Promise<ClientEnd> {
  const relay = await relayFor(venue, situation);
  try {
    const task = path.join(folder, `${randomUUID()}.json`);
    await writeFile(task, JSON.stringify(taskOf(situation)));
    const { keyId, secret } = venue.key(candidate);
    const environment = {
      GATEWRIGHT_BASE_URL: relay?.baseUrl ?? venue.baseUrl,
      GATEWRIGHT_WS_URL: wsUrlOf(venue, situation, relay),
      GATEWRIGHT_KEY_ID: keyId,
      GATEWRIGHT_SECRET: secret,
      GATEWRIGHT_TASK: task,
    };
    const wholeMs = limitMs + (situation.seconds ?? 0) * 1000;
    return await runClient({ command, environment, mark: task, limitMs: wholeMs, signal });
  } finally {
    relay?.close();
  }
}

async function relayFor(
  { baseUrl }: Venue,
  { relay, cutsStreamAfter }: Situation,
): Promise<Relay | undefined> {
  if (cutsStreamAfter !== undefined) return startCutter(baseUrl, cutsStreamAfter);
  return relay === undefined ? undefined : startRelay(baseUrl, relay);
}

/** Only one of the intermediaries knows WebSockets. */
const wsUrlOf = ({ wsUrl }: Venue, { cutsStreamAfter }: Situation, relay: Relay | undefined): string =>
  relay === undefined || cutsStreamAfter === undefined ? wsUrl : `${relay.baseUrl.replace("http", "ws")}/ws`;

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
