/** The meaning of each exit code. Scripts and CI jobs branch on these, so they are a promise: `gatewright` uses no others. */
export const exitCodes = {
  /** Conformant (warnings included), or the command did what was asked. */
  ok: 0,
  /** A required assertion failed, or an expected failure did not happen. */
  nonConformant: 1,
  /** Bad flags, or an invalid scenario, profile or expectation file. Nothing was sent. */
  usage: 2,
  /** Required clauses were left unverified: a selection, a budget, an interruption. */
  incomplete: 3,
  /** The target cannot be reached, or refuses the first signed request. */
  targetUnusable: 4,
  /** Stopped for safety: host not allowed, limit exceeded, clean-up failed, a secret in an output. */
  safetyStop: 5,
  /** A bug of ours, or a report that cannot be written. */
  internalError: 6,
  /** `--fail-on warn`: conformant, but with warnings. */
  warnings: 7,
  /** `gatewright serve`: the venue stopped by itself. */
  venueStopped: 70,
  interrupted: 130,
  terminated: 143,
} as const;

/** When several apply to a run, the first of these is its exit code. */
export const precedence: readonly ExitCode[] = [
  exitCodes.internalError,
  exitCodes.safetyStop,
  exitCodes.interrupted,
  exitCodes.terminated,
  exitCodes.usage,
  exitCodes.targetUnusable,
  exitCodes.nonConformant,
  exitCodes.incomplete,
  exitCodes.warnings,
  exitCodes.ok,
];

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
