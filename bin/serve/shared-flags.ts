/** The flags of `serve` for a process that many share, as options of the simulator. */
import os from "node:os";
import type { SimulatorOptions } from "../../simulator/index.ts";

interface StoreFlags {
  readonly node?: string | undefined;
  readonly lossyStore?: true | undefined;
  readonly sleepAfter?: number | undefined;
  readonly follow: string[];
}

interface QuotaFlags {
  readonly quotaEntries?: number | undefined;
  readonly quotaRate?: number | undefined;
  readonly quotaUnused?: number | undefined;
}

export const storeOf = (
  url: string,
  { node = os.hostname(), lossyStore, sleepAfter, follow }: StoreFlags,
): NonNullable<SimulatorOptions["store"]> => ({
  url,
  node,
  follow,
  ...(lossyStore === true ? { allowAsynchronousCommit: true } : {}),
  ...(sleepAfter === undefined ? {} : { sleepAfterMs: sleepAfter * 60_000 }),
});

export const quotaOf = (flags: QuotaFlags): NonNullable<SimulatorOptions["worldQuota"]> => ({
  ...(flags.quotaEntries === undefined ? {} : { entries: flags.quotaEntries }),
  ...(flags.quotaRate === undefined ? {} : { requestsPerSecond: flags.quotaRate }),
  ...(flags.quotaUnused === undefined ? {} : { unusedDays: flags.quotaUnused }),
});
