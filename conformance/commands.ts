/** Functions for our own commands and benchmarks: the door of the command line. They promise nothing to users of the package. */

export { certifiesClient, clientSigner, verifyClient } from "./certify-client.ts";
export { cleanUpAfter, leftByEarlierRuns } from "./clean-up.ts";
export { newLedgerPath } from "./client/ledger-file.ts";
export { Redactor } from "./client/redact.ts";
export { reportExam, situationIn } from "./client-report.ts";
export { type ConformRun, runConformance } from "./conform.ts";
export { copySuite } from "./copy-suite.ts";
export { coverageMarkdown, coverageOf, coverageText } from "./coverage.ts";
export { draftAccepted, readAccepted } from "./drift/accepted.ts";
export { driftHtml } from "./drift/drift-html.ts";
export { driftText } from "./drift/drift-text.ts";
export { type DriftOptions, type DriftReport, drift } from "./drift.ts";
export { explainClause, type ListedCase, listCases } from "./explain.ts";
export { type ExportedFile, type ExportFileOptions, exportFile } from "./export-file.ts";
export * from "./index.ts";
export { type LearnReport, learn, planLesson } from "./learn.ts";
export { readProfileFile } from "./load-profile.ts";
export { readSuite, type SuiteReading } from "./load-suite.ts";
export { mergeReportFiles } from "./merge-reports.ts";
export { counted } from "./model/counted.ts";
export { printable } from "./model/printable.ts";
export type { SafetyClass } from "./model/profile.ts";
export { kitVersion, packageRoot } from "./package-root.ts";
export { mostBytes, readBytesCapped, textIn, utf8In } from "./parse/read-capped.ts";
export { planRun } from "./plan.ts";
export {
  type RecordingProxy,
  type RecordingProxyOptions,
  startRecordingProxy,
} from "./proxy/recording-proxy.ts";
export { type SigningProxy, type SigningProxyOptions, startSigningProxy } from "./proxy/signing-proxy.ts";
export { Reader, type ReaderOptions, type ReaderStream } from "./reader.ts";
export { environmentOf, keyIn, type ReadyLine, readReadyFile } from "./ready-line.ts";
export { isHidden } from "./recording/hidden.ts";
export { curlExchanges } from "./recording/read-curl.ts";
export { harExchanges } from "./recording/read-har.ts";
export { annotations } from "./report/annotations.ts";
export { compareReports } from "./report/compare-reports.ts";
export { comparisonText } from "./report/comparison-text.ts";
export { consoleReport } from "./report/console.ts";
export { filterBar } from "./report/html/filter-bar.ts";
export { htmlPage } from "./report/html/frame.ts";
export { anchor, type Markup, markup } from "./report/html/markup.ts";
export { checkOutput, checkOutputFolder, OutputUnwritten, writeOutput } from "./report/output-file.ts";
export { byReason } from "./report/problems.ts";
export { Progress } from "./report/progress.ts";
export { painter, someOf, terminalOf } from "./report/terminal.ts";
export {
  isStandardOutput,
  liveReports,
  type ReportTarget,
  reportFormats,
  reportTargets,
  writeReports,
} from "./report/write-reports.ts";
export { profileOf } from "./run-input.ts";
export { promisesIn } from "./runner/prepare/promises.ts";
export { parseShard, type Shard } from "./runner/prepare/shard.ts";
export { builtInFiles, isInFragments } from "./scenario-files.ts";
export { reduce } from "./shrink/reduce.ts";
export { type ShrinkQuestion, type Shrunk, shrinkFile } from "./shrink-file.ts";
export type { ShrinkTarget } from "./shrink-trial.ts";
export { showSignature } from "./signing/show-signature.ts";
export { tableCoverage, tableCoverageText } from "./table-coverage.ts";
