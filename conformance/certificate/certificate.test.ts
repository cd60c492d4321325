import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { refusalOf, verify } from "../certify.ts";
import { Redactor } from "../client/redact.ts";
import { readSuite, type Suite } from "../load-suite.ts";
import { type ClaimedLevel, claimedLevels } from "../model/clause.ts";
import type { RowResult } from "../model/outcome.ts";
import { UsageError } from "../model/position.ts";
import { type CaseRow, rowsOf } from "../model/scenario.ts";
import { kitVersion } from "../package-root.ts";
import { ndjsonReport } from "../report/ndjson.ts";
import { buildReport, type Report } from "../report/report.ts";
import { select } from "../runner/prepare/select.ts";
import { reachVerdict } from "../verdict.ts";
import { type Certificate, digestOf, seedOf, statementOf } from "./certificate.ts";
import { readPrivateKey, signStatement } from "./keys.ts";
import { certificateIn } from "./read-certificate.ts";
import { departures } from "./recompute.ts";
import { type VerificationInput, verifyCertificate } from "./verify-certificate.ts";

const challenge = "word of the day";
const now = Date.parse("2026-11-21T12:00:00Z");
const document = {
  title: "Order Trading Gateway Specification",
  interfaceVersion: "1.0",
  sha256: "1c14ae0c76d42fdf4334155cd61e00a4b252367d494d45f3d4900f12e5ed0313",
};
let suite: Suite;
let rows: readonly CaseRow[];
let key: KeyObject;
/** What a run in which everything passed gives: no test changes it. */
let whole: Paper;
beforeAll(async () => {
  ({ suite } = await readSuite([]));
  rows = suite.scenarios.flatMap(rowsOf);
  key = generateKeyPairSync("ed25519").privateKey;
  whole = certified(conformantReport());
});

const passed = ({ id, scenario, spec }: CaseRow): RowResult => ({
  id,
  title: scenario.title,
  outcome: "passed",
  clauses: spec,
  findings: [],
  observations: {},
  durationMs: 1,
  place: "f:1:1",
});

/** The report of a run in which everything passed. */
function conformantReport(change: (row: RowResult) => RowResult = (row) => row, unseen = ""): Report {
  const rules = { selection: false, failOnWarnings: false, failOnExtra: false, gate: "conformance" } as const;
  const exercised = new Set([...suite.clauses.clauses.keys()].filter((id) => id !== unseen));
  const reached = reachVerdict(
    { rows: rows.map(passed).map(change), ambient: [], exercised },
    {
      ...rules,
      level: "core",
      register: suite.clauses,
      interrupted: false,
      adopted: new Set(),
      expected: undefined,
      today: "2026-11-21",
    },
  );
  return buildReport({
    register: suite.clauses,
    redactor: new Redactor(new Map()),
    environment: {},
    command: "gatewright certify",
    kit: kitVersion(),
    startedAt: "2026-11-21T11:00:00.000Z",
    durationMs: 60_000,
    level: "core",
    seed: seedOf(challenge),
    target: { name: "acme", baseUrl: "https://gw.example/api/v1/trading", notes: { clockSkew: "0 s" } },
    clauses: reached.clauses,
    rows: reached.rows,
    judgement: reached.judgement,
    ambient: [],
    presence: {
      capabilities: { ws: "absent" },
      operations: {},
      credentials: {},
      assumptions: { "AS-04": "adopt" },
    },
    profile: digestOf("profile"),
    leftovers: [],
    used: { requests: 3, orders: 1 },
    suite: suite.digest,
    rules: { ...rules, adopted: [], interrupted: false },
    exercised: [...exercised],
  });
}

interface Paper {
  report: Report;
  certificate: Certificate;
  /** The text of the report, if a test needs other bytes. */
  text?: string;
}

function certified(report: Report): Paper {
  const text = JSON.stringify(report);
  return { report, text, certificate: signStatement(statementOf(report, text, challenge, document), key) };
}

/** A careful forger signs again with the same key. */
function resigned({ certificate, ...paper }: Paper): Paper {
  const { signature: _, ...statement } = certificate;
  return { ...paper, certificate: signStatement(statement, key) };
}

function problemsOf(paper: Paper, asked: Partial<VerificationInput> = {}): string[] {
  const { certificate } = paper;
  const reportText = paper.text ?? JSON.stringify(paper.report);
  return verifyCertificate({
    certificate,
    report: JSON.parse(reportText) as Report,
    reportText,
    suiteRows: rows,
    suiteDigest: suite.digest,
    register: suite.clauses,
    document,
    kit: kitVersion(),
    now,
    ...asked,
  });
}

/** The same for files, as a verifier has them. */
async function problemsOfFiles(
  paper: Paper,
  asked: Partial<Parameters<typeof verify>[0]> = {},
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
  const [certificate, report] = [join(folder, "certificate.json"), join(folder, "report.json")];
  await writeFile(certificate, JSON.stringify(paper.certificate));
  await writeFile(report, paper.text ?? JSON.stringify(paper.report));
  return (await verify({ certificate, report, now, ...asked })).problems;
}

describe("a certificate", () => {
  it("holds for the report that it was made from", async () => {
    expect(whole.certificate).toMatchObject({
      verdict: "CONFORMANT",
      level: "core",
      profile: { absent: ["ws"], adopted: ["AS-04"] },
      expires: "2027-05-20T11:01:00.000Z",
    });
    expect(await problemsOfFiles(whole, { challenge })).toEqual([]);
  });

  it("lists the promises of its profile, and the clauses of harm that could not be tried", async () => {
    const unsupplied = (row: RowResult): RowResult =>
      row.clauses.includes("EPT-11")
        ? { ...row, outcome: "blocked", notSupplied: true, reason: "map cancelOrder" }
        : row;
    const report = conformantReport(unsupplied, "EPT-11");
    const promises = { "AUTH-41": "auth.signedPath: path" };
    const paper = certified({ ...report, rules: { ...report.rules, promises } });
    expect(paper.certificate).toMatchObject({
      verdict: "CONFORMANT",
      profile: { promised: ["AUTH-41 by auth.signedPath: path"] },
      clauses: { notTried: ["EPT-11: map cancelOrder"] },
    });
    expect(await problemsOfFiles(paper, { challenge })).toEqual([]);
  });

  it("does not hang on blanks and the order of keys", () => {
    const { certificate, ...paper } = whole;
    const turned = Object.fromEntries(Object.entries(certificate).toReversed()) as unknown as Certificate;
    expect(problemsOf({ ...paper, certificate: turned })).toEqual([]);
  });

  type Forgery = readonly [string, (paper: Paper) => Paper, RegExp];
  const forged =
    (change: (certificate: Certificate) => object) =>
    (paper: Paper): Paper => ({
      ...paper,
      certificate: { ...paper.certificate, ...change(paper.certificate) },
    });
  const forgeries: readonly Forgery[] = [
    ["another level", forged(() => ({ level: "full" })), /the signature does not belong to these contents/],
    [
      "another key in the signature",
      forged(({ signature }) => ({ signature: { ...signature, key: "A".repeat(43) } })),
      /the signature does not belong/,
    ],
    ["one byte more in the report", (paper) => ({ ...paper, text: `${paper.text} ` }), /its digest differs/],
    [
      "a verdict that the rows do not have, signed again",
      (paper) => resigned(forged(() => ({ verdict: "CONFORMANT_WITH_WARNINGS" }))(paper)),
      /the cases give CONFORMANT, and the certificate says CONFORMANT_WITH_WARNINGS/,
    ],
    [
      "counts that the report does not have, signed again",
      (paper) => resigned(forged(({ clauses }) => ({ clauses: { ...clauses, untestable: 0 } }))(paper)),
      /the certificate's clauses does not follow from the report/,
    ],
    [
      "a longer life, signed again",
      (paper) => resigned(forged(() => ({ expires: "2099-01-01T00:00:00.000Z" }))(paper)),
      /the certificate's expires does not follow/,
    ],
    [
      "another challenge, signed again",
      (paper) => resigned(forged(({ run }) => ({ run: { ...run, challenge: "mine" } }))(paper)),
      /the run's seed does not come from the challenge/,
    ],
    [
      "another suite, signed again",
      (paper) => resigned(forged(({ suite: own }) => ({ suite: { ...own, digest: "sha256:0" } }))(paper)),
      /names another suite than the report/,
    ],
  ];
  it.each(forgeries)("says so: %s", (_, forge, sentence) => {
    expect(problemsOf(forge(whole)).join("\n")).toMatch(sentence);
  });

  type Doctored = readonly [string, (report: Report) => Report, RegExp];
  const doctored: readonly Doctored[] = [
    [
      "a case is missing",
      (report) => ({ ...report, cases: report.cases.slice(1) }),
      /1 case of the suite is missing from the report: /,
    ],
    [
      "a case is there twice",
      (report) => ({ ...report, cases: [...report.cases, ...report.cases.slice(0, 1)] }),
      /is in the report twice/,
    ],
    [
      "a case of the level was left out",
      (report) => ({
        ...report,
        cases: report.cases.map((row, index) =>
          index === 0 ? { ...row, outcome: "filtered" as const } : row,
        ),
      }),
      /1 case of the level was left out/,
    ],
    [
      "a required clause is missing",
      (report) => ({ ...report, clauses: report.clauses.filter(({ id }) => id !== "PLC-11") }),
      /1 clause is missing from the report: PLC-11/,
    ],
    [
      "a failed row is called passed elsewhere",
      (report) => ({
        ...report,
        cases: report.cases.map((row) => ({ ...row, outcome: "blocked" as const })),
        exercised: [],
      }),
      /the cases give INCOMPLETE/,
    ],
    [
      "a clause that was tried is called not tried",
      (report) => ({
        ...report,
        clauses: report.clauses.map((clause) =>
          clause.id === "EPT-11" ? { ...clause, outcome: "unverified" as const, notTried: true } : clause,
        ),
      }),
      /says that EPT-11 is not tried, its cases give satisfied/,
    ],
    [
      "a case names other clauses",
      (report) => ({ ...report, cases: report.cases.map((row) => ({ ...row, clauses: ["GEN-01"] })) }),
      /names other clauses than the suite does/,
    ],
    [
      "it was a selection",
      (report) => ({ ...report, rules: { ...report.rules, selection: true } }),
      /the run was a selection/,
    ],
    ["it is one shard", (report) => ({ ...report, shard: { index: 1, count: 2 } }), /one shard of a run/],
  ];
  it.each(doctored)("does not hold for a doctored report that was signed anew: %s", (_, change, sentence) => {
    const report = change(whole.report);
    const text = JSON.stringify(report);
    const certificate = signStatement(statementOf(report, text, challenge, document), key);
    expect(problemsOf({ report, text, certificate }).join("\n")).toMatch(sentence);
  });

  /** Texts of certificates that two readers would understand differently. */
  const twisted: readonly (readonly [string, (text: string) => string, RegExp])[] = [
    [
      "a member twice",
      (text) => text.replace('"target":', '"target":{"name":"else"},"target":'),
      /"target" of it occurs twice/,
    ],
    [
      "a member twice, further down",
      (text) => text.replace('"name":', '"name":"else","name":'),
      /"name" of its part "target" occurs twice/,
    ],
    [
      "a member twice, spelled with an escape",
      (text) => text.replace('"level":', '"\\u006cevel":"full","level":'),
      /"level" of it occurs twice/,
    ],
    ["another member", (text) => text.replace("{", '{"note":"checked",'), /it has a member "note"/],
    [
      "a member for the prototype",
      (text) => text.replace("{", '{"__proto__":{},'),
      /it has a member "__proto__"/,
    ],
    [
      "another member in the run",
      (text) => text.replace('"run":{', '"run":{"note":1,'),
      /its part "run" has a member "note"/,
    ],
    [
      "a signer in the signature",
      (text) => text.replace('"alg":', '"signedBy":"Somebody","alg":'),
      /its part "signature" has a member "signedBy"/,
    ],
    [
      "padding in the signature",
      (text) => text.replace(/("value":"[^"]*)"/, '$1=="'),
      /signature is not 64 bytes in base64url/,
    ],
    [
      "a blank in the signature",
      (text) => text.replace(/("value":"[^"]{9})/, "$1 "),
      /signature is not 64 bytes in base64url/,
    ],
    [
      "a mark in the signature",
      (text) => text.replace(/("value":"[^"]{9})/, "$1!"),
      /signature is not 64 bytes in base64url/,
    ],
    [
      "another spelling of its last digit",
      (text) => text.replace(/("value":"[^"]{85})[^"]"/, '$1_"'),
      /signature is not 64 bytes in base64url/,
    ],
    [
      "padding in the key",
      (text) => text.replace(/("key":"[^"]*)"/, '$1="'),
      /key is not 32 bytes in base64url/,
    ],
    [
      "base64 instead of base64url",
      (text) => text.replace(/"key":"[^"]*"/, `"key":"${"+".repeat(43)}"`),
      /key is not 32 bytes in base64url/,
    ],
    ["another algorithm", (text) => text.replace('"Ed25519"', '"none"'), /signed with none/],
    [
      "a number for a text",
      (text) => text.replace('"level":"core"', '"level":1'),
      /its part "level" is number/,
    ],
    [
      "a fraction for a count",
      (text) => text.replace('"orders":1', '"orders":1.0'),
      /its part "run.orders" is not a whole number/,
    ],
    ["a part less", (text) => text.replace(/"profile":\{[^}]*\},/, ""), /its part "profile" is missing/],
    ["two papers", (text) => text + text, /not JSON/],
  ];
  it.each(twisted)("is none when its text holds %s", (_, twist, sentence) => {
    const text = JSON.stringify(whole.certificate);
    expect(certificateIn(text)).toEqual(whole.certificate);
    expect(twist(text)).not.toBe(text);
    expect(certificateIn(twist(text))).toMatch(sentence);
  });

  /** RFC 8032: the points whose order divides eight, and spellings of them with y beyond the prime. */
  const noKeys: readonly (readonly [hex: string, sentence: RegExp])[] = [
    ["0100000000000000000000000000000000000000000000000000000000000000", /low order/],
    ["0000000000000000000000000000000000000000000000000000000000000000", /low order/],
    ["0000000000000000000000000000000000000000000000000000000000000080", /low order/],
    ["ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", /low order/],
    ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", /low order/],
    ["26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85", /low order/],
    ["c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", /low order/],
    ["c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa", /low order/],
    ["edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", /not the canonical spelling/],
    ["eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", /not the canonical spelling/],
    ["ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", /not the canonical spelling/],
  ];
  it.each(noKeys)("is refused with a key for which anyone can sign: %s", (hex, sentence) => {
    const { certificate } = whole;
    const signature = { ...certificate.signature, key: Buffer.from(hex, "hex").toString("base64url") };
    expect(certificateIn(JSON.stringify({ ...certificate, signature }))).toMatch(sentence);
  });

  it("answers the questions that only the verifier can ask", async () => {
    expect(problemsOf(whole, { challenge: "another" })).toEqual([
      'the challenge was "word of the day", not "another"',
    ]);
    expect(problemsOf(whole, { now: Date.parse("2027-05-21T00:00:00Z") })).toEqual([
      "the certificate has expired on 2027-05-20",
    ]);
    const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
    const [own, other, profile] = ["own.pem", "other.pem", "profile.yaml"].map((name) => join(folder, name));
    const pem = { type: "pkcs8", format: "pem" } as const;
    await writeFile(own ?? "", key.export(pem));
    await writeFile(other ?? "", generateKeyPairSync("ed25519").privateKey.export(pem));
    await writeFile(profile ?? "", "profile");
    expect(await problemsOfFiles(whole, { key: own, profile })).toEqual([]);
    expect(await problemsOfFiles(whole, { key: other })).toEqual([
      expect.stringContaining("not with the key you named"),
    ]);
    expect(await problemsOfFiles(whole, { profile: other })).toEqual([
      expect.stringContaining("the profile is not"),
    ]);
  });

  it("is not given to a run that foresaw failures", () => {
    const finding = {
      pointer: "",
      expected: "",
      actual: "",
      strength: "should",
      severity: "warn",
      clauses: ["ERR-10"],
      step: "s",
      position: { file: "f", line: 1, column: 1 },
      expectedBy: "known.yaml:1:1",
    } as const;
    const report = conformantReport((row) => ({ ...row, findings: [finding] }));
    expect(departures(report, rows, suite.clauses)).toEqual([
      expect.stringContaining("no expected failures"),
    ]);
  });

  it("does not hold for a report that was cut off", async () => {
    const cut = { ...whole, text: whole.text?.slice(0, -100) ?? "" };
    expect(await problemsOfFiles(cut)).toEqual([expect.stringContaining("the report is incomplete")]);
    const lines = ndjsonReport(whole.report).trimEnd().split("\n");
    const withoutFooter = { ...whole, text: lines.slice(0, -1).join("\n") };
    expect(await problemsOfFiles(withoutFooter)).toEqual([expect.stringContaining("the footer is missing")]);
  });

  it("is a usage error when one of its papers cannot be read", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
    const none = join(folder, "none.json");
    await expect(problemsOfFiles(whole, { certificate: none })).rejects.toThrow(UsageError);
    await expect(problemsOfFiles(whole, { report: none })).rejects.toThrow(
      /cannot be read: there is no such file/,
    );
    await writeFile(none, '{"type":"something"}');
    await expect(problemsOfFiles(whole, { certificate: none })).rejects.toThrow(
      /is not a certificate: its type is "something"/,
    );
  });
});

describe("the level of a certificate", () => {
  /** The report of a run of that level: rows beyond it are filtered, all others passed. */
  const reportAt = (level: ClaimedLevel): Report => {
    const { beyondLevel } = select(suite.scenarios, { only: [], skip: [], level }, suite, 1);
    const beyond = new Set(beyondLevel.map(({ id }) => id));
    const report = conformantReport((row) => (beyond.has(row.id) ? { ...row, outcome: "filtered" } : row));
    return { ...report, level };
  };

  it.each(claimedLevels)("%s asks for the rows that a run of that level selects", (level) => {
    const report = reportAt(level);
    expect(departures(report, rows, suite.clauses)).toEqual([]);
    expect(refusalOf(report, rows, suite.clauses)).toBeUndefined();
  });

  it.each(claimedLevels)("%s misses each row that such a run would have selected", (level) => {
    const report = reportAt(level);
    const [first] = report.cases.filter(({ outcome }) => outcome === "passed");
    const cases = report.cases.map((row) =>
      row.id === first?.id ? { ...row, outcome: "filtered" as const } : row,
    );
    const left = `1 case of the level was left out: ${first?.id}`;
    expect(departures({ ...report, cases }, rows, suite.clauses)).toEqual([left]);
    expect(refusalOf({ ...report, cases }, rows, suite.clauses)).toEqual({
      refusal: `no certificate: ${left}`,
      exitCode: 3,
    });
  });

  it("is refused with an exit code other than 0 for every verdict", () => {
    const { report } = whole;
    const expected = { ...report, verdict: "NON_CONFORMANT" as const, reason: "1 clause violated" };
    expect(refusalOf(expected, rows, suite.clauses)).toEqual({
      refusal: "no certificate: NON_CONFORMANT: 1 clause violated",
      exitCode: 3,
    });
    expect(refusalOf({ ...expected, exitCode: 1 }, rows, suite.clauses)?.exitCode).toBe(1);
  });
});

describe("a key", () => {
  it("has to be for Ed25519, which is said before anything is sent", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatewright-"));
    const file = join(folder, "ec.pem");
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
    await writeFile(file, ec.export({ type: "pkcs8", format: "pem" }));
    await expect(readPrivateKey(file)).rejects.toThrow(
      /a key for ec, not for Ed25519; make one with: openssl/,
    );
    await writeFile(file, "nonsense");
    await expect(readPrivateKey(file)).rejects.toThrow(UsageError);
  });
});
