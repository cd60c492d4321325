import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type ExamRule, examDigests, registerOf, reportExam } from "../client-report.ts";
import type { RowResult } from "../model/outcome.ts";
import type { Report } from "../report/report.ts";
import { seedOf } from "./certificate.ts";
import {
  type ClientCertificate,
  clientCertificateIn,
  clientStatementOf,
  verifyClientCertificate,
} from "./client-certificate.ts";
import { publicKeyText, signStatement } from "./keys.ts";

const challenge = "word of the day";
const rules: readonly ExamRule[] = [
  { id: "EX-01", level: "required", basis: "twice", statement: "No order is doubled." },
  { id: "EX-07", level: "recommended", basis: "stated", statement: "Pauses grow." },
];
const situations = [
  { id: "place-one", title: "One", task: "place" },
  { id: "book-one", title: "Two", task: "book" },
];
const position = { file: "situation", line: 1, column: 1 };
const finding = { pointer: "", expected: "once", actual: "twice", step: "place", position };
const doubled = { ...finding, clauses: ["EX-01"], strength: "expect", severity: "fail" } as const;

const row = (index: number, more: Partial<RowResult>): RowResult => ({
  id: situations[index]?.id ?? "",
  title: situations[index]?.title ?? "",
  outcome: "passed",
  clauses: ["EX-01", "EX-07"],
  findings: [],
  observations: {},
  durationMs: 1,
  place: "situation 1",
  ...more,
});

const reportOf = (first: Partial<RowResult> = {}, second: Partial<RowResult> = notAsked): Report => ({
  ...reportExam({
    client: "acme",
    command: "gatewright exam",
    tasks: ["place"],
    seed: seedOf(challenge),
    startedAt: Date.parse("2026-11-21T11:00:00Z"),
    rules,
    rows: [row(0, first), row(1, second)],
    used: { requests: 3, orders: 1 },
    environment: {},
    interrupted: false,
  }).report,
  durationMs: 1000,
});
const notAsked = { outcome: "notApplicable" } as const;

it("a rule that a client breaks is not explained by another one", () => {
  const late = { ...finding, clauses: ["EX-07"], strength: "expect", severity: "warn" } as const;
  const [once, both] = [[doubled], [doubled, late]].map((findings) => ({
    outcome: "failed" as const,
    findings,
  }));
  const { clauses } = reportOf(once, both);
  expect(clauses.map(({ id, outcome, followsFrom }) => [id, outcome, followsFrom])).toEqual([
    ["EX-01", "violated", undefined],
    ["EX-07", "warned", undefined],
  ]);
});

let key: KeyObject;
beforeAll(() => {
  key = generateKeyPairSync("ed25519").privateKey;
});

interface Paper {
  readonly report: Report;
  readonly text: string;
  readonly certificate: ClientCertificate;
}

/** As a careful forger would, with the right digest and a signature of the key. */
function paperOf(report: Report): Paper {
  const text = JSON.stringify(report);
  return { report, text, certificate: signStatement(clientStatementOf(report, text, challenge), key) };
}

const problemsOf = ({ report, text, certificate }: Paper, more: object = {}): string =>
  verifyClientCertificate({
    certificate,
    report,
    reportText: text,
    situations,
    register: registerOf(rules),
    ours: examDigests(rules, situations),
    now: Date.parse("2026-11-22T00:00:00Z"),
    ...more,
  }).join("\n");

describe("the certificate of a client", () => {
  it("holds for the report that it was made from, and is read again", () => {
    const paper = paperOf(reportOf());
    expect(problemsOf(paper, { challenge, key: publicKeyText(key) })).toBe("");
    expect(clientCertificateIn(JSON.stringify(paper.certificate))).toEqual(paper.certificate);
    expect(paper.certificate).toMatchObject({
      client: "acme",
      tasks: "place",
      verdict: "CONFORMANT",
      rules: { satisfied: 2, warned: [], notApplicable: [] },
      expires: expect.stringMatching(/^2027-05-20T/),
    });
  });

  it.each<readonly [string, (paper: Paper) => Paper, object, RegExp]>([
    [
      "a member that was changed",
      (paper) => ({ ...paper, certificate: { ...paper.certificate, client: "x" } }),
      {},
      /the signature does not belong/,
    ],
    [
      "another byte in the report",
      (paper) => ({ ...paper, text: `${paper.text} ` }),
      {},
      /certificate's run does not follow/,
    ],
    ["another challenge", (paper) => paper, { challenge: "another" }, /the challenge was "word of the day"/],
    ["another key", (paper) => paper, { key: "x" }, /not with the key you named/],
    ["a later day", (paper) => paper, { now: Date.parse("2027-06-01") }, /has expired on 2027-05-20/],
    [
      "another exam",
      (paper) => paper,
      { ours: { suite: "x", register: "y" } },
      /not the one of this version/,
    ],
    [
      "a verdict that the situations do not have",
      () => {
        const report = reportOf({ outcome: "failed", findings: [doubled] });
        return paperOf({ ...report, verdict: "CONFORMANT", exitCode: 0 });
      },
      {},
      /the situations give NON_CONFORMANT, and the certificate says CONFORMANT/,
    ],
    [
      "a situation that is missing",
      () => {
        const report = reportOf();
        return paperOf({ ...report, cases: report.cases.slice(0, 1) });
      },
      {},
      /does not have each situation of its tasks once/,
    ],
    [
      "a situation of its tasks that was left out",
      () => {
        const report = reportOf();
        const cases = report.cases.map((one) => ({ ...one, outcome: "notApplicable" as const }));
        return paperOf({ ...report, cases });
      },
      {},
      /does not have each situation of its tasks once/,
    ],
    [
      "a selection",
      () => {
        const report = reportOf();
        return paperOf({ ...report, rules: { ...report.rules, selection: true } });
      },
      {},
      /the exam was a selection/,
    ],
    [
      "the report of a gateway",
      () => {
        const { subject: _client, ...report } = reportOf();
        return paperOf(report);
      },
      {},
      /the report is not about a client/,
    ],
  ])("says so: %s", (_what, forge, more, sentence) => {
    expect(problemsOf(forge(paperOf(reportOf())), more)).toMatch(sentence);
  });

  it("is not read with a member that no certificate has", () => {
    const { certificate } = paperOf(reportOf());
    expect(clientCertificateIn(JSON.stringify({ ...certificate, note: "checked" }))).toMatch(/"note"/);
  });
});
