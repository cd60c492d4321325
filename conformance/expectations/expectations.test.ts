import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSuite, type Suite } from "../load-suite.ts";
import type { ExpectedFailure } from "../model/expected-failure.ts";
import type { Finding } from "../model/finding.ts";
import type { RowResult } from "../model/outcome.ts";
import { renderProblem, UsageError } from "../model/position.ts";
import { YamlReader } from "../parse/yaml-reader.ts";
import type { AmbientLine } from "../runner/judge/ambient-log.ts";
import { reachVerdict } from "../verdict.ts";
import { draftFrom } from "./draft-expectations.ts";
import { fingerprintMatches, fingerprintOf } from "./fingerprint.ts";
import { readExpectations } from "./read-expectations.ts";

const scenarios = new URL("../testing/scenarios", import.meta.url).pathname;
const reader = new YamlReader();
afterAll(() => reader[Symbol.dispose]());
let suite: Suite;
beforeAll(async () => {
  ({ suite } = await readSuite([scenarios]));
});

async function fileOf(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "known.yaml");
  await writeFile(file, text);
  return file;
}

async function refusal(text: string): Promise<string> {
  const file = await fileOf(text);
  const failure = await readExpectations(file, suite, reader).catch((error: unknown) => error);
  if (!(failure instanceof UsageError)) throw new Error("the file was accepted");
  return failure.problems.map(renderProblem).join("\n").replaceAll(file, "known.yaml");
}

const entry = (more: string): string =>
  `- case: stub-nonce\n  outcome: fail\n  fingerprint: 'status: expected 4xx, got 200'\n  reason: known\n${more}`;

describe("an expectation file is read strictly", () => {
  it("takes a case, a clause and an assertion", async () => {
    const file = await fileOf(
      [
        entry("  issue: https://tracker.example/1\n  expires: 2027-01-31"),
        "- clause: ERR-10\n  outcome: flaky\n  maxRate: '0.2'\n  reason: the proxy answers in HTML",
        "- assertion: stub-nonce/replayed#/status\n  outcome: fail\n  fingerprint: [a, b]\n  reason: known\n",
      ].join("\n"),
    );
    expect(await readExpectations(file, suite, reader)).toMatchObject([
      { subject: { kind: "case", id: "stub-nonce" }, expires: "2027-01-31" },
      { subject: { kind: "clause", id: "ERR-10" }, outcome: "flaky", maxRate: 0.2 },
      { subject: { kind: "assertion" }, fingerprints: ["a", "b"] },
    ]);
  });

  it("knows the properties as cases", async () => {
    const file = await fileOf(
      "- case: P-18\n  outcome: fail\n  fingerprint: 'two orders *'\n  reason: known\n",
    );
    const known = { ...suite, properties: ["P-18"] };
    expect(await readExpectations(file, known, reader)).toMatchObject([{ subject: { id: "P-18" } }]);
    await expect(readExpectations(file, suite, reader)).rejects.toThrow(UsageError);
  });

  it.each([
    [
      "a case that does not exist",
      entry("").replace("stub-nonce", "stub-nonse"),
      /1:9.*no case "stub-nonse"[\s\S]*did you mean "stub-nonce"/,
    ],
    [
      "a clause that does not exist",
      "- clause: EPT-O4\n  outcome: flaky\n  reason: r\n",
      /no clause EPT-O4[\s\S]*did you mean "EPT-0/,
    ],
    [
      "a step that does not exist",
      "- assertion: stub-nonce/replaid#/status\n  outcome: fail\n  fingerprint: f\n  reason: r\n",
      /no step "replaid"[\s\S]*did you mean "replayed"/,
    ],
    ["two subjects", entry("  clause: ERR-10\n"), /1:3: an entry names exactly one of/],
    ["no reason", entry("").replace(/ {2}reason.*\n/, ""), /the key "reason" is missing/],
    [
      "a reason that was not filled in",
      entry("").replace("known", "'TODO: why?'"),
      /4:11: the reason is not filled in/,
    ],
    [
      "a failure without its fingerprint",
      entry("").replace(/ {2}fingerprint.*\n/, ""),
      /needs its fingerprint/,
    ],
    ["a day that does not exist", entry("  expires: 2027-02-30\n"), /5:12: there is no day 2027-02-30/],
    ["an unknown key", entry("  isue: x\n"), /unknown key "isue"[\s\S]*did you mean "issue"/],
    [
      "a flaky requirement",
      "- clause: EPT-04\n  outcome: flaky\n  reason: r\n",
      /flaky is for the lower levels only/,
    ],
  ])("refuses %s", async (_, text, message) => {
    expect(await refusal(text)).toMatch(message);
  });
});

const finding = (changes: Partial<Finding> = {}): Finding => ({
  pointer: "status",
  expected: "4xx",
  actual: "200",
  strength: "expect",
  severity: "fail",
  clauses: ["AUTH-26"],
  step: "replayed",
  position: { file: "f", line: 1, column: 1 },
  ...changes,
});
const row = (
  outcome: RowResult["outcome"],
  findings: readonly Finding[] = [],
  id = "stub-nonce",
): RowResult => ({
  id,
  title: "t",
  outcome,
  clauses: ["AUTH-26"],
  findings,
  observations: {},
  durationMs: 0,
  place: "f:1:1",
});
const expected = (changes: Partial<ExpectedFailure> = {}): ExpectedFailure => ({
  subject: { kind: "case", id: "stub-nonce" },
  outcome: "fail",
  fingerprints: ["status: expected 4xx, got 200"],
  reason: "known",
  position: { file: "known.yaml", line: 1, column: 1 },
  ...changes,
});

function verdictOf(
  rows: readonly RowResult[],
  entries: readonly ExpectedFailure[] | undefined,
  more: { ambient?: readonly AmbientLine[]; gate?: "regressions"; exercised?: readonly string[] } = {},
) {
  const others = [...suite.clauses.clauses.keys()].filter((id) => id !== "AUTH-26");
  const evidence = {
    rows: [...rows, { ...row("passed", [], "everything-else"), clauses: others }],
    ambient: more.ambient ?? [],
    exercised: new Set(more.exercised ?? []),
  };
  return reachVerdict(evidence, {
    level: "full",
    register: suite.clauses,
    selection: false,
    failOnWarnings: false,
    failOnExtra: false,
    gate: more.gate ?? "conformance",
    interrupted: false,
    adopted: new Set(),
    expected: entries,
    today: "2026-11-21",
  });
}
const failed = row("failed", [finding()]);

describe("a failure that was expected", () => {
  it("keeps the exit code green and the verdict honest", () => {
    const { judgement, rows, clauses, expectations } = verdictOf([failed], [expected()]);
    expect(judgement).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 0 });
    expect(judgement.reason).toContain("every one of them expected");
    expect(rows[0]?.findings[0]?.expectedBy).toBe("known.yaml:1:1");
    expect(clauses.find(({ id }) => id === "AUTH-26")?.outcome).toBe("violated");
    expect(expectations).toMatchObject([{ status: "matched" }]);
  });

  it("is not expected when it fails in another way", () => {
    const other = row("failed", [finding({ actual: "500" })]);
    const { judgement, expectations } = verdictOf([other], [expected()]);
    expect(judgement).toMatchObject({ verdict: "NON_CONFORMANT", exitCode: 1 });
    expect(expectations).toMatchObject([{ status: "changed" }]);
  });

  it("fails the run when it does not happen, has expired, or no longer applies", () => {
    expect(verdictOf([row("passed")], [expected()])).toMatchObject({
      judgement: { verdict: "CONFORMANT", exitCode: 1 },
      expectations: [{ status: "xpass" }],
    });
    expect(verdictOf([failed], [expected({ expires: "2026-11-20" })])).toMatchObject({
      judgement: { exitCode: 1 },
      expectations: [{ status: "expired" }],
    });
    expect(verdictOf([failed], [expected({ expires: "2026-11-21" })]).judgement.exitCode).toBe(0);
    expect(verdictOf([row("notApplicable")], [expected()])).toMatchObject({
      judgement: { exitCode: 1 },
      expectations: [{ status: "stale" }],
    });
  });

  it("is left alone when it could not be tried", () => {
    expect(verdictOf([row("blocked")], [expected()])).toMatchObject({
      judgement: { verdict: "INCOMPLETE", exitCode: 3 },
      expectations: [{ status: "notRun" }],
    });
  });

  it("does not cover a second failure of the same case", () => {
    const both = row("failed", [finding(), finding({ pointer: "/message" })]);
    expect(verdictOf([both], [expected()]).judgement.exitCode).toBe(1);
  });

  it("may be a rule of every reply, named by its clause", () => {
    const line: AmbientLine = {
      clause: "ENV-03",
      severity: "fail",
      pointer: "/statusCode",
      expected: "200",
      actual: "999",
      count: 7,
      firstRequest: "GET /x",
    };
    const known = expected({
      subject: { kind: "clause", id: "ENV-03" },
      fingerprints: ["/statusCode: expected 200, got 9*"],
    });
    const passing = row("passed");
    expect(verdictOf([passing], [known], { ambient: [line] }).judgement.exitCode).toBe(0);
    expect(verdictOf([passing], [], { ambient: [line] }).judgement.exitCode).toBe(1);
  });

  it("covers one assertion when it names one, with or without the row of the step", () => {
    const at = (id: string) => [expected({ subject: { kind: "assertion", id } })];
    const inRow = row("failed", [finding({ step: "replayed[first]" })]);
    expect(verdictOf([inRow], at("stub-nonce/replayed#/status")).judgement.exitCode).toBe(0);
    expect(verdictOf([inRow], at("stub-nonce/replayed[first]#/status")).judgement.exitCode).toBe(0);
    expect(verdictOf([inRow], at("stub-nonce/replayed#/body")).judgement.exitCode).toBe(1);
  });
});

describe("a flaky expectation", () => {
  const flaky = expected({ outcome: "flaky", fingerprints: [], maxRate: 0.5 });
  const warnings = (count: number) =>
    Array.from({ length: 4 }, (_, index) => {
      const findings = index < count ? [finding({ severity: "warn", clauses: ["ERR-10"] })] : [];
      return row(index < count ? "warned" : "passed", findings, `stub-nonce[${index}]`);
    });

  it("never covers a required clause", () => {
    expect(verdictOf([failed], [flaky]).judgement.exitCode).toBe(1);
  });

  it("allows its share of the rows and no more", () => {
    expect(verdictOf(warnings(2), [flaky]).expectations).toMatchObject([{ status: "matched" }]);
    expect(verdictOf(warnings(3), [flaky])).toMatchObject({
      expectations: [{ status: "tooOften" }],
      judgement: { exitCode: 1 },
    });
    expect(verdictOf(warnings(0), [flaky]).expectations).toMatchObject([{ status: "quiet" }]);
  });
});

describe("the gate for regressions", () => {
  it("is green when something is open and nothing fails anew, and only then", () => {
    const open = [row("blocked"), row("failed", [finding()], "stub-auth")];
    const known = expected({ subject: { kind: "case", id: "stub-auth" } });
    expect(verdictOf(open, [known], { gate: "regressions" }).judgement).toMatchObject({
      verdict: "NON_CONFORMANT",
      exitCode: 0,
    });
    expect(verdictOf(open, [], { gate: "regressions" }).judgement.exitCode).toBe(1);
    expect(verdictOf([row("blocked")], [], { gate: "regressions" }).judgement).toMatchObject({
      verdict: "INCOMPLETE",
      exitCode: 0,
    });
  });
});

describe("a draft", () => {
  const today = "2026-11-21";

  it("is refused until the reasons are filled in, and then covers what failed", async () => {
    const id = "c6a7c0de-1111-4222-8333-123456789abc";
    const rows = [row("failed", [finding({ actual: `200 for ${id} \u001b[31m` })])];
    const draft = draftFrom(verdictOf(rows, []), [], today);
    expect(draft).not.toContain(id);
    expect(draft).not.toContain("\u001b");
    expect(await refusal(draft)).toContain("the reason is not filled in");
    const filled = draft.replace(/TODO[^']*/, "accepted by the owner");
    const entries = await readExpectations(await fileOf(filled), suite, reader);
    expect(entries).toMatchObject([{ subject: { id: "stub-nonce" }, expires: "2027-02-19" }]);
    expect(verdictOf(rows, entries).judgement.exitCode).toBe(0);
  });

  it("keeps the entries that still match and drops the others", () => {
    const kept = expected({ issue: "https://tracker.example/1" });
    const gone = expected({
      subject: { kind: "case", id: "stub-auth" },
      position: { file: "known.yaml", line: 9, column: 1 },
    });
    const draft = draftFrom(
      verdictOf([failed, row("passed", [], "stub-auth")], [kept, gone]),
      [kept, gone],
      today,
    );
    expect(draft).toContain('issue: "https://tracker.example/1"');
    expect(draft).not.toContain("stub-auth");
    expect(draft).not.toContain("TODO");
  });
});

describe("a fingerprint", () => {
  it("is the same in the next run", () => {
    const of = (actual: string) => fingerprintOf({ pointer: "/data/3/id", expected: "e", actual }, new Set());
    expect(of("id 3b241101-e2bb-4255-8caf-4136c566a962 at 2026-11-21T07:41:02.123Z")).toBe(
      "/data/*/id: expected e, got id <id> at <time>",
    );
    expect(of("nonce deadbeef00112233 n 1767225600000")).toBe(
      "/data/*/id: expected e, got nonce <hex> n <number>",
    );
    expect(of("201")).not.toBe(of("202"));
  });

  it("may leave a part open", () => {
    expect(fingerprintMatches("a * c * e", "a b c d e")).toBe(true);
    expect(fingerprintMatches("a*", "b")).toBe(false);
    expect(fingerprintMatches("ab*ba", "aba")).toBe(false);
  });
});
