import type { Report, ReportedCase, ReportedClause, ReportedFinding } from "../report.ts";

/** A report with one row of every outcome; `text` is used in every place that a target controls. */
export function sampleReport(text = "plain", changes: Partial<Report> = {}): Report {
  const cases = sampleCases(text);
  const count = (outcome: string): number => cases.filter((row) => row.outcome === outcome).length;
  return {
    type: "gatewright-report/1",
    kit: "0.1.0",
    startedAt: "2026-11-21T08:00:00.000Z",
    durationMs: 1234,
    target: { name: "sample", baseUrl: "http://127.0.0.1:1/api/v1/trading", notes: { clockSkew: text } },
    environment: { node: "v20" },
    command: "gatewright conform --profile sample.yaml",
    level: "core",
    seed: 7,
    suite: { suite: "0".repeat(64), register: "1".repeat(64) },
    rules: {
      selection: false,
      failOnWarnings: false,
      failOnExtra: false,
      gate: "conformance",
      adopted: [],
      interrupted: false,
    },
    exercised: ["ENV-03"],
    verdict: "NON_CONFORMANT",
    exitCode: 1,
    reason: "2 clauses violated, 1 case failed",
    summary: {
      cases: {
        passed: count("passed"),
        failed: count("failed"),
        warned: count("warned"),
        blocked: count("blocked"),
        notApplicable: count("notApplicable"),
        filtered: count("filtered"),
        error: count("error"),
      },
      clauses: { satisfied: 1, violated: 2, warned: 1, unverified: 2, "n/a": 0, untestable: 0 },
      claimed: { verified: 1, total: 5 },
      requests: 9,
      orders: 2,
    },
    clauses: [
      clause("ENV-03", "violated", ["auth-140-nonce"]),
      clause("AUTH-26", "violated", ["auth-140-nonce"]),
      clause("AUTH-28", "warned", ["auth-150-race[six]"]),
      clause("EPT-12", "unverified", ["orders-210-read"], ["operation:readOrder"]),
      clause("EVT-02", "unverified", []),
      clause("GEN-01", "satisfied", ["gen-010-open"]),
    ],
    cases,
    ambient: [
      {
        clause: "ENV-03",
        severity: "fail",
        pointer: "/statusCode",
        expected: "200 as in the status line",
        actual: text,
        count: 12,
        firstRequest: `GET /order/open?${text}`,
        said: text,
        evidence: {
          case: "auth-140-nonce",
          step: text,
          cases: ["auth-140-nonce"],
          exchanges: [exchange("before", text), exchange("broken", text)],
        },
        again: `gatewright conform --profile sample.yaml --only 'auth-140-nonce' --seed 7`,
      },
    ],
    leftovers: [{ id: text, role: "trader", product: "BTC-USD" }],
    presence: { capabilities: {}, operations: {}, credentials: {}, assumptions: {} },
    ...changes,
  };
}

function sampleCases(text: string): ReportedCase[] {
  return [
    row("gen-010-open", "passed", { observations: { "open /message": text } }),
    row("auth-140-nonce", "failed", {
      clauses: ["AUTH-26", "AUTH-27"],
      findings: [finding("fail", ["AUTH-26"], text)],
      trace: {
        omitted: 3,
        exchanges: [
          exchange("same", text),
          exchange("race[1]", text, "race"),
          exchange("race[2]", text, "race"),
        ],
      },
    }),
    row("auth-150-race[six]", "warned", {
      clauses: ["AUTH-28"],
      findings: [finding("warn", ["AUTH-28"], text)],
    }),
    row("orders-210-read", "blocked", { clauses: ["EPT-12"], reason: `readOrder is not mapped ${text}` }),
    row("orders-220-cancel", "notApplicable", { reason: "the profile says so" }),
    row("orders-230-trade", "filtered", { reason: "not selected" }),
    row("orders-240-wait", "error", { reason: text }),
  ];
}

export function row(
  id: string,
  outcome: ReportedCase["outcome"],
  changes: Partial<ReportedCase> = {},
): ReportedCase {
  return {
    id,
    title: `What ${id} claims`,
    outcome,
    clauses: ["GEN-01"],
    place: `scenarios/${id}.yaml:3:5`,
    durationMs: 12,
    findings: [],
    observations: {},
    ...changes,
  };
}

function finding(severity: "fail" | "warn", clauses: readonly string[], text: string): ReportedFinding {
  return {
    pointer: `/data/${text}`,
    expected: `4xx ${text}`,
    actual: text,
    strength: severity === "fail" ? "expect" : "should",
    severity,
    clauses,
    step: "same",
    place: "scenarios/auth/140-nonce.yaml:11:5",
    request: `GET /order/open?${text}`,
    said: text,
  };
}

export function clause(
  id: string,
  outcome: ReportedClause["outcome"],
  cases: readonly string[],
  needs: readonly string[] = [],
): ReportedClause {
  return {
    id,
    level: "required",
    outcome,
    statement: `What ${id} says.`,
    cases,
    certificate: "core",
    basis: "stated",
    claimed: true,
    where: `Section of ${id}`,
    aliasOf: [],
    needs,
  };
}

type Exchange = NonNullable<ReportedCase["trace"]>["exchanges"][number];

function exchange(step: string, text: string, together?: string): Exchange {
  const signed = ["1767225600000", "n-1", "GET", "/a", "application/json", "e".repeat(64)];
  return {
    step,
    role: "trader",
    method: "GET",
    path: `/a?${text}`,
    attempt: 1,
    startedMs: 0.5,
    durationMs: 3,
    transport: "response",
    status: 401,
    ...(together === undefined ? {} : { together }),
    detail: {
      requestHeaders: [["X-API-KEY", "kid_…"]],
      requestBody: { text, bytes: text.length, cut: false, base64: false },
      signedText: signed.join("\n"),
      targetText: signed.with(3, `/b${text}`).join("\n"),
      replyHeaders: [["Server", text]],
      replyBody: {
        text: `{"message":${JSON.stringify(text)},"n":[],"price":1.10}`,
        bytes: 40,
        cut: false,
        base64: false,
      },
    },
  };
}
