/** The conformance kit's whole public surface; everything else in this folder is internal. */
export { type CertifyOptions, certify, type VerifyOptions, verify } from "./certify.ts";
export { cleanUpAfter } from "./clean-up.ts";
export { newLedgerPath } from "./client/ledger-file.ts";
export {
  type ConformOptions,
  type ConformRun,
  conform,
  runConformance,
  UnusableRun,
} from "./conform.ts";
export { coverageMarkdown, coverageOf, coverageText } from "./coverage.ts";
export { explainClause, type ListedCase, listCases } from "./explain.ts";
export { readProfileFile, readSuite, type SuiteReading } from "./load-suite.ts";
export { mergeReportFiles } from "./merge-reports.ts";
export { type ClaimedLevel, claimedLevels } from "./model/clause.ts";
export { counted } from "./model/counted.ts";
export { SafetyStop, TargetUnusable, type Verdict } from "./model/outcome.ts";
export { type Problem, renderProblem, UsageError } from "./model/position.ts";
export { printable } from "./model/printable.ts";
export type { SafetyClass } from "./model/profile.ts";
export { packageRoot } from "./package-root.ts";
export { mostBytes, readBytesCapped } from "./parse/read-capped.ts";
export { planRun } from "./plan.ts";
export { type ProbeOptions, probe } from "./probe.ts";
export { type SigningProxy, type SigningProxyOptions, startSigningProxy } from "./proxy/signing-proxy.ts";
export { Reader, type ReaderOptions, type ReaderStream } from "./reader.ts";
export { environmentOf, keyIn, type ReadyLine, readReadyFile } from "./ready-line.ts";
export { type Replay, type ReplayedRow, type ReplayOptions, replay } from "./replay.ts";
export { annotations } from "./report/annotations.ts";
export { compareReports } from "./report/compare-reports.ts";
export { comparisonText } from "./report/comparison-text.ts";
export { consoleReport } from "./report/console.ts";
export { filterBar } from "./report/html/filter-bar.ts";
export { htmlPage } from "./report/html/frame.ts";
export { anchor, type Markup, markup } from "./report/html/markup.ts";
export { checkOutput, checkOutputFolder, OutputUnwritten, writeOutput } from "./report/output-file.ts";
export { Progress } from "./report/progress.ts";
export { readReport } from "./report/read-report.ts";
export type { Report, ReportedCase } from "./report/report.ts";
export { terminalOf } from "./report/terminal.ts";
export {
  liveReports,
  type ReportTarget,
  reportFormats,
  reportTargets,
  writeReports,
} from "./report/write-reports.ts";
export { profileOf } from "./run-input.ts";
export { promisesIn } from "./runner/prepare/promises.ts";
export { parseShard, type Shard } from "./runner/prepare/shard.ts";
export { showSignature } from "./signing/show-signature.ts";
export { type SignedRequest, type SigningInput, signRequest } from "./signing/sign-request.ts";
export { tableCoverage, tableCoverageText } from "./table-coverage.ts";
