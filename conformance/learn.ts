import { randomUUID } from "node:crypto";
import { Egress } from "./client/egress.ts";
import { assertHostAllowed } from "./client/host-guard.ts";
import { LedgerFile } from "./client/ledger-file.ts";
import { OrderLedger } from "./client/order-ledger.ts";
import { Target } from "./client/target.ts";
import { conclude } from "./learn/conclude.ts";
import { learnedProfile } from "./learn/learned-profile.ts";
import { learnedWorld } from "./learn/learned-world.ts";
import { type LearnPlan, mostBooks, planLearn } from "./learn/plan-learn.ts";
import { readersOfAnswers } from "./learn/readers-of-answers.ts";
import { readersOfOrders } from "./learn/readers-of-orders.ts";
import { readersOfSignatures } from "./learn/readers-of-signatures.ts";
import { readFreedoms } from "./learn/register.ts";
import { runRound } from "./learn/run-probes.ts";
import { seenProducts } from "./learn/seen-products.ts";
import type { Learned, Round } from "./learn/sighting.ts";
import { profileFrom } from "./load-profile.ts";
import { isOurs, type Profile } from "./model/profile.ts";
import { kitVersion } from "./package-root.ts";
import { readDialects } from "./parse/mistakes.ts";
import type { Environment } from "./parse/profile.ts";
import { mostBytes, readCapped } from "./parse/read-capped.ts";
import { YamlReader } from "./parse/yaml-reader.ts";
import { ask } from "./probe/ask.ts";
import { redactorFor } from "./run-start.ts";
import { preflight } from "./runner/prepare/preflight.ts";
import { type Book, bookIn } from "./runner/prepare/seen-prices.ts";
import type { CleanUpResult } from "./runner/send/cancel-left.ts";
import { pairsIn } from "./runner/send/listing.ts";
import type { Session } from "./runner/session.ts";
import { sessionWithoutSuite } from "./runner/session-without-suite.ts";

export interface LearnOptions {
  readonly profile: string;
  readonly environment?: Environment;
  /** A file that records every order before it is sent; `gatewright cleanup` reads it after a crash. */
  readonly ledger?: string;
  /** Called before the first request. */
  readonly onPlan?: (plan: LearnPlan) => void;
  readonly signal?: AbortSignal;
}

export interface LearnReport {
  readonly type: "gatewright-learn/1";
  readonly kit: string;
  readonly startedAt: string;
  readonly target: { readonly name: string; readonly baseUrl: string };
  readonly rounds: number;
  readonly sent: { readonly requests: number; readonly orders: number };
  readonly freedoms: readonly Learned[];
  readonly left: readonly { readonly id: string; readonly clientOrderId: string; readonly reason: string }[];
}

/** The result, and the two files that are made of it. None of them holds a secret. */
export interface Lesson {
  readonly report: LearnReport;
  readonly profile: string;
  readonly world: string;
  /** 5 when an order could not be cancelled, though the profile says how. */
  readonly exitCode: 0 | 5;
}

/** The requests that learn would send; sends nothing. */
export async function planLesson({ profile, environment = process.env }: LearnOptions): Promise<LearnPlan> {
  using reader = new YamlReader();
  return planLearn(await (await profileFrom(profile, reader))(environment));
}

/** Finds out by safe probes how a target takes the freedoms of the specification. */
export async function learn(options: LearnOptions): Promise<Lesson> {
  const { environment = process.env, signal } = options;
  using reader = new YamlReader();
  const profile = await (await profileFrom(options.profile, reader))(environment);
  assertHostAllowed(profile);
  const text = await readCapped("profile", options.profile, mostBytes.small);
  const register = await readFreedoms(reader);
  const plan = planLearn(profile);
  options.onPlan?.(plan);
  const startedAt = new Date().toISOString();
  const ledger = await ledgerOf(options, profile, startedAt);
  const egress = new Egress(profile, ledger, signal);
  await using target = new Target(egress, `gatewright/${kitVersion()} (learn)`);
  const redactor = redactorFor(profile);
  const session = sessionWithoutSuite({ profile, target, redactor, egress });
  const { rounds, listing, books, cleanedUp } = await runAndCleanUp(session, plan.rounds);
  const readers = [...readersOfSignatures, ...readersOfOrders, ...readersOfAnswers];
  const freedoms = conclude(register, readers, rounds);
  const products = seenProducts(listing, books, profile);
  const origin = `${profile.name} (${profile.baseUrl.href}) on ${startedAt.slice(0, 10)}`;
  const redacted = (given: string): string => redactor.redact(given);
  const report: LearnReport = {
    type: "gatewright-learn/1",
    kit: kitVersion(),
    startedAt,
    target: { name: profile.name, baseUrl: profile.baseUrl.href },
    rounds: rounds.length,
    sent: egress.used,
    freedoms: freedoms.map((one) => ({ ...one, evidence: one.evidence.map(redacted) })),
    left: cleanedUp.left.map(({ order: { id, clientOrderId }, reason }) => ({ id, clientOrderId, reason })),
  };
  return {
    report,
    profile: redacted(learnedProfile(text, report.freedoms, products, profile)),
    world: redacted(learnedWorld(report.freedoms, register, products, origin)),
    exitCode: report.left.length > 0 && typeof profile.operations["cancelOrder"] === "object" ? 5 : 0,
  };
}

interface Ran {
  readonly rounds: readonly Round[];
  readonly listing: Awaited<ReturnType<typeof ask>>;
  readonly books: ReadonlyMap<string, Book>;
  readonly cleanedUp: CleanUpResult;
}

/** However the probes end, their orders are cancelled; those that could not be are in the ledger. */
async function runAndCleanUp(session: Session, count: number): Promise<Ran> {
  try {
    const { market } = await preflight(session, readDialects);
    const listing = await ask(session, { path: session.operation("products").path });
    const books = await booksOf(
      session,
      pairsIn(listing.json).map(({ id }) => id),
    );
    const rounds: Round[] = [];
    while (rounds.length < count) rounds.push(await runRound(session, market));
    return { rounds, listing, books, cleanedUp: await session.cleanUp() };
  } catch (error) {
    await session.cleanUp().catch(() => undefined);
    throw error;
  } finally {
    session.ledger.end();
  }
}

async function booksOf(session: Session, products: readonly string[]): Promise<Map<string, Book>> {
  const operation = session.profile.operations["orderBook"];
  const books = new Map<string, Book>();
  if (typeof operation !== "object") return books;
  for (const product of products.slice(0, mostBooks)) {
    const { json } = await ask(session, {
      path: operation.path.replace("{product}", encodeURIComponent(product)),
    });
    books.set(product, bookIn(json, operation));
  }
  return books;
}

async function ledgerOf({ ledger }: LearnOptions, profile: Profile, startedAt: string): Promise<OrderLedger> {
  if (ledger === undefined) return new OrderLedger();
  const { name, baseUrl } = profile;
  const header = { run: randomUUID(), startedAt, target: name, baseUrl: baseUrl.href, pid: process.pid };
  return new OrderLedger(await LedgerFile.create(ledger, header, !isOurs(profile)));
}
