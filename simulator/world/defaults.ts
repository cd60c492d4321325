/** Defaults of a world file. The schema shows them to editors and `build-world.ts` fills them in, so each is written once. */

export const worldDefaults = {
  seed: 1,
  clock: { mode: "real", start: "2026-01-01T00:00:00.000Z" },
  magic: true,
  asset: { precision: 8, feeScale: 8 },
  network: {
    isDefault: false,
    maxDecimals: 8,
    depositEnabled: true,
    minDepositAmount: "0",
    confirmationsRequired: 3,
  },
  product: { apiEnabled: true, halted: false },
  client: { exchangeMakerRate: "0", exchangeTakerRate: "0" },
  rules: { enabled: true },
  key: { enabled: true },
  liquidity: { mode: "ladder", levels: 20, everyMs: 1000, times: "from-start" },
  fault: { resolvesTo: "OPEN", afterMs: 1000 },
} as const;

/**
 * Digits after the point that the ledger carries at most: with more, 2^63 - 1 units would be less than ten
 * whole ones.
 */
export const maxLedgerScale = 18;

/** The store keeps amounts as signed 64-bit integers. */
export const maxLedgerUnits = 2n ** 63n - 1n;

/** Caps on a world file and on each file that it names. */
export const maxFileBytes = 1_048_576;
