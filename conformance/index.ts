/** The public functions of the package: `gatewright/conformance`. Our own commands come in through `commands.ts`. */
export { type CertifyOptions, certify, type VerifyOptions, verify } from "./certify.ts";
export { type ConformOptions, conform, UnusableRun } from "./conform.ts";
export { type ClaimedLevel, claimedLevels } from "./model/clause.ts";
export { type RowResult, SafetyStop, TargetUnusable, type Verdict } from "./model/outcome.ts";
export { type Problem, renderProblem, UsageError } from "./model/position.ts";
export { type ProbeOptions, probe } from "./probe.ts";
export { type Replay, type ReplayedRow, type ReplayOptions, replay } from "./replay.ts";
export { readReport } from "./report/read-report.ts";
export type { Report, ReportedCase } from "./report/report.ts";
export { type SignedRequest, type SigningInput, signRequest } from "./signing/sign-request.ts";
