import { randomUUID } from "node:crypto";
import { Egress } from "./client/egress.ts";
import { LedgerFile, type LedgerReading, ledgerFolder, ledgersIn, readLedger } from "./client/ledger-file.ts";
import { OrderLedger, type PlacedOrder } from "./client/order-ledger.ts";
import { prepare } from "./client/prepare.ts";
import { Target } from "./client/target.ts";
import { UsageError } from "./model/position.ts";
import type { Profile } from "./model/profile.ts";
import { kitVersion } from "./package-root.ts";
import { profileOf, type TargetOptions } from "./run-input.ts";
import { cancelLeft } from "./runner/send/cancel-left.ts";
import { CleanUpWaits } from "./runner/send/clean-up-waits.ts";
import { retryWhileBusy } from "./runner/send/retry-while-busy.ts";

/** The results for the orders of one ledger. */
export interface CleanedLedger {
  readonly ledger: string;
  readonly run: string;
  readonly cancelled: readonly PlacedOrder[];
  /** Orders that are not open any more and were not cancelled by this clean-up. */
  readonly gone: readonly { readonly order: PlacedOrder; readonly seen: string }[];
  /** Sent, but neither shown in an answer nor among the open orders. */
  readonly neverSeen: readonly PlacedOrder[];
  readonly left: readonly { readonly order: PlacedOrder; readonly reason: string }[];
}

export interface CleanUpReport {
  readonly cleaned: readonly CleanedLedger[];
  /** Ledgers of other targets, and of runs that still go on. */
  readonly passedOver: readonly { readonly ledger: string; readonly reason: string }[];
  /** 5 when an order is left open. */
  readonly exitCode: 0 | 5;
}

/**
 * Cleans up after a run that could not do so itself: reads its ledger, finds its orders at the target and cancels them
 * (docs/live-safety.md). A ledger without remaining orders is removed. Without names all ledgers of the state folder
 * are used, except those of other targets and of runs whose process is alive.
 */
export async function cleanUpAfter(profile: Profile, named: readonly string[]): Promise<CleanUpReport> {
  const files = named.length > 0 ? named : await ledgersIn(ledgerFolder);
  const readings = await Promise.all(files.map(readLedger));
  const passedOver: { ledger: string; reason: string }[] = [];
  const cleaned: CleanedLedger[] = [];
  for (const reading of readings) {
    const objection = objectionTo(reading, profile, named.length > 0);
    if (objection === undefined) cleaned.push(await cleanOne(reading, profile));
    else passedOver.push({ ledger: reading.path, reason: objection });
  }
  return { cleaned, passedOver, exitCode: cleaned.some(({ left }) => left.length > 0) ? 5 : 0 };
}

/** How many orders killed runs may have left at this target. A ledger that cannot be read is left to the clean-up. */
export async function leftByEarlierRuns(options: TargetOptions): Promise<number> {
  const files = await ledgersIn(ledgerFolder);
  if (files.length === 0) return 0;
  const profile = await profileOf(options);
  const readings = await Promise.all(files.map((file) => readLedger(file).catch(() => undefined)));
  return readings
    .filter((reading) => reading !== undefined)
    .filter((reading) => objectionTo(reading, profile, false) === undefined)
    .reduce((sum, { lines }) => sum + OrderLedger.from(lines).openCount, 0);
}

function objectionTo({ path, header }: LedgerReading, profile: Profile, named: boolean): string | undefined {
  if (header.baseUrl !== profile.baseUrl.href) {
    const other = `it is about ${header.baseUrl}, and the profile about ${profile.baseUrl.href}`;
    if (named) throw new UsageError(`${path}: ${other}`);
    return other;
  }
  return !named && isAlive(header.pid) ? `its run is still going on (process ${header.pid})` : undefined;
}

async function cleanOne(reading: LedgerReading, profile: Profile): Promise<CleanedLedger> {
  const ledger = OrderLedger.from(reading.lines, LedgerFile.reopen(reading));
  const egress = new Egress(profile, ledger);
  await using target = new Target(
    egress,
    `gatewright/${kitVersion()} (cleanup of run ${reading.header.run})`,
  );
  const { signedPath } = profile.auth;
  const options = { traffic: egress.traffic, now: Date.now, onRetry: () => undefined };
  try {
    const result = await cancelLeft(
      {
        profile,
        ledger,
        basePath: target.basePath,
        waits: new CleanUpWaits(),
        ask: (plan) =>
          retryWhileBusy(
            () =>
              target.send(
                prepare(plan, { now: Date.now(), nonce: randomUUID(), signedPath, withholdTampered: true }),
                {
                  purpose: "cleanup",
                },
              ),
            options,
          ),
      },
      () => true,
      { thorough: true, patient: false },
    );
    return { ledger: reading.path, run: reading.header.run, ...result };
  } finally {
    ledger.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
