/** The conformance kit's whole public surface; everything else in this folder is internal. */
export { type ConformOptions, type ConformRun, conform, runConformance } from "./conform.ts";
export { explainClause, type ListedCase, listCases } from "./explain.ts";
export { readSuite, type SuiteReading } from "./load-suite.ts";
export { type ClaimedLevel, claimedLevels } from "./model/clause.ts";
export { SafetyStop, TargetUnusable, type Verdict } from "./model/outcome.ts";
export { type Problem, renderProblem, UsageError } from "./model/position.ts";
export { packageRoot } from "./package-root.ts";
export { type SigningProxy, type SigningProxyOptions, startSigningProxy } from "./proxy/signing-proxy.ts";
export { environmentOf, type ReadyLine, readReadyFile } from "./ready-line.ts";
export { consoleReport } from "./report/console.ts";
export type { Report, ReportedCase } from "./report/report.ts";
export { parseReportTarget, type ReportTarget, reportFormats, writeReport } from "./report/write-reports.ts";
export { showSignature } from "./signing/show-signature.ts";
export { type SignedRequest, type SigningInput, signRequest } from "./signing/sign-request.ts";
