import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { annotations } from "./annotations.ts";
import { badgeOf, badgeSvg } from "./badge.ts";
import { behaviourSheet } from "./behaviour.ts";
import { reportProblem } from "./check-report.ts";
import { consoleReport } from "./console.ts";
import { htmlReport } from "./html/page.ts";
import { junitReport } from "./junit.ts";
import { markdownReport } from "./markdown.ts";
import { ndjsonReport, readNdjson } from "./ndjson.ts";
import type { Report } from "./report.ts";
import { tapReport } from "./tap.ts";
import { terminalOf } from "./terminal.ts";
import { elementsOf, readTap, xmlProblems } from "./testing/readers.ts";
import { clause, row, sampleReport } from "./testing/sample-report.ts";

const report = sampleReport();

describe("the console", () => {
  const shown = consoleReport(report);

  it("convicts with statement, place, expected, was and the command that shows it again", () => {
    expect(shown).toContain(
      [
        "FAILED  AUTH-26  What AUTH-26 says.",
        "        found in   Section of AUTH-26",
        "        auth-140-nonce: What auth-140-nonce claims",
        "          expected /data/plain: 4xx plain",
        "          was      plain",
        "          it said  plain",
        "          where    scenarios/auth/140-nonce.yaml:11:5 · step same · GET /order/open?plain",
        "          again    gatewright conform --profile sample.yaml --only 'auth-140-nonce' --seed 7",
      ].join("\n"),
    );
  });

  it("has violations, warnings, open clauses and behaviour in this order, and the verdict last", () => {
    const order = [
      "FAILED  AUTH-26",
      "FAILED  ENV-03",
      "ERROR",
      "WARNED",
      "BLOCKED",
      "OPEN",
      "NOTED",
      "passed,",
    ];
    const places = order.map((word) => shown.indexOf(word));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(shown.trimEnd().split("\n").at(-1)).toMatch(/^NON_CONFORMANT at level core of sample/);
  });

  it("counts blocked and passed cases in one line, and says why", () => {
    expect(shown).toContain("1 passed, 1 failed, 1 warned, 1 blocked, 1 not applicable, 1 filtered, 1 error");
    expect(shown).toContain("because  readOrder is not mapped plain");
  });

  it("never asks for what the profile has: the reasons of the blocked cases say what is missing", () => {
    const reason = "operations.wallets.wallet does not say where the amounts are";
    const cases = report.cases.map((one) => (one.id === "orders-210-read" ? { ...one, reason } : one));
    for (const text of [consoleReport({ ...report, cases }), htmlReport({ ...report, cases })]) {
      expect(text).toContain(reason);
      expect(text).not.toContain("map operations.readOrder");
    }
  });

  it("counts the clauses that a selection left out, and asks nothing for them", () => {
    const left = report.cases.filter(({ outcome }) => outcome === "filtered").map(({ id }) => id);
    expect(left).toHaveLength(1);
    const clauses = report.clauses.map((one) =>
      one.id === "EVT-02"
        ? { ...one, claimed: true, outcome: "unverified" as const, cases: left, needs: ["facts.unheard"] }
        : one,
    );
    const text = consoleReport({ ...report, clauses });
    expect(text).toMatch(/^OPEN {4}1 required clause has no case in this selection$/m);
    expect(text).not.toContain("EVT-02");
    expect(text).not.toContain("unheard");
  });

  it("lists clauses that could not be tried, with the reason, and the promise of the profile", () => {
    const reason = "cancelOrder is not mapped";
    const changed: Report = {
      ...report,
      clauses: report.clauses.map((one) => {
        if (one.id === "EPT-12") return { ...one, claimed: false, notTried: true };
        return one.id === "AUTH-26" ? { ...one, promise: "auth.x: y" } : one;
      }),
      cases: report.cases.map((one) =>
        one.id === "orders-210-read" ? { ...one, notSupplied: true, reason } : one,
      ),
    };
    const text = consoleReport(changed);
    expect(text).toMatch(/^UNTRIED 1 clause .*: EPT-12\n +because {2}cancelOrder is not mapped$/m);
    expect(text).toMatch(/^OPEN .*: EVT-02$/m);
    expect(text).toContain("        required because the profile says auth.x: y\n");
    const page = htmlReport(changed);
    expect(page).toContain("Because: cancelOrder is not mapped.");
    expect(page).toContain("required because the profile says <code>auth.x: y</code>");
    expect(markdownReport(changed)).toContain("not tried, although a violation does harm: EPT&#45;12");
    expect(reportProblem(changed)).toBeUndefined();
  });

  it.each([80, 120])("keeps its lines within %d columns where words allow it", (columns) => {
    const lines = consoleReport(report, { columns, colours: false }).split("\n");
    const long = lines.filter((line) => line.length > columns && !line.includes(" again "));
    expect(long).toEqual([]);
  });

  it("says in the verdict that orders are left open, and above it how to cancel them", () => {
    const leftovers = Array.from({ length: 140 }, (_, n) => ({
      id: `o${n}`,
      role: "trader",
      product: "BTC-USD",
    }));
    const shown = (presence: typeof report.presence): string[] =>
      consoleReport({ ...report, leftovers, presence }, { columns: 400, colours: false })
        .trimEnd()
        .split("\n");
    const unmapped = shown(report.presence);
    expect(unmapped.at(-1)).toMatch(/^NON_CONFORMANT .*; 140 orders are left open$/);
    expect(unmapped.at(-2)).toMatch(
      /^LEFT OPEN 140 orders rest at the target: o0 BTC-USD, .*maps no cancelOrder/,
    );
    const mapped = shown({ ...report.presence, operations: { cancelOrder: "present" } });
    expect(mapped.at(-2)).toMatch(/to cancel them: gatewright cleanup/);
    expect(shown(report.presence).join()).not.toContain("o9 ");
  });

  it("shows the same difference once", () => {
    const [, failed] = report.cases;
    const twin = { ...failed, id: "auth-141-twin" } as Report["cases"][number];
    const twice = consoleReport({ ...report, cases: [...report.cases, twin] });
    expect(twice.match(/was {6}plain\n {10}it said {2}plain\n {10}where/g)).toHaveLength(1);
    expect(twice).toContain("alike in auth-141-twin");
  });

  it("uses colours on a terminal, unless NO_COLOR", () => {
    const tty = { isTTY: true, columns: 90 };
    expect(terminalOf(tty, {})).toEqual({ columns: 90, colours: true });
    expect(terminalOf(tty, { NO_COLOR: "1" }).colours).toBe(false);
    expect(terminalOf({}, {}).colours).toBe(false);
    expect(terminalOf({}, { FORCE_COLOR: "1" }).colours).toBe(true);
    expect(consoleReport(report, terminalOf(tty, {}))).toContain("\u001b[31mFAILED\u001b[39m  AUTH-26");
  });
});

describe("report.json", () => {
  it("fits the published schema, which objects to a value that is none of the known", () => {
    expect(reportProblem(report)).toBeUndefined();
    expect(reportProblem({ ...report, verdict: "FINE" })).toContain("/verdict");
    expect(reportProblem({ ...report, cases: [{ id: "x" }] })).toContain("/cases/0");
  });
});

describe("report.ndjson", () => {
  const text = ndjsonReport(report);

  it("is read back as the same report", () => {
    expect(readNdjson(text)).toEqual(report);
  });

  it("takes the last line of a case, and the order that the footer gives", () => {
    const lines = text.split("\n");
    const rows = lines.filter((line) => line.startsWith('{"line":"case"'));
    const early = rows[2]?.replace(/"outcome":"[^"]*"/, '"outcome":"error"') ?? "";
    const grown = [lines[0], early, rows[4], ...lines.slice(1)].join("\n");
    expect(grown).not.toBe(text);
    expect(readNdjson(grown)).toEqual(report);
  });

  it("is refused without its footer", () => {
    const lines = text.trimEnd().split("\n");
    expect(readNdjson(lines.slice(0, -1).join("\n"))).toMatch(/footer is missing: .*after line \d+/);
    expect(readNdjson(text.slice(0, -20))).toMatch(/^line \d+: it is not JSON: .*; the file was cut off/);
    const without = (kind: string): string =>
      lines
        .toSpliced(
          lines.findIndex((line) => line.startsWith(`{"line":"${kind}"`)),
          1,
        )
        .join("\n");
    expect(readNdjson(without("clause"))).toMatch(/says 6 lines "clause" and there are 5/);
    expect(readNdjson(without("case"))).toMatch(/says 7 lines "case" and there are 6/);
    expect(readNdjson(lines.slice(1).join("\n"))).toContain("not the header");
  });
});

describe("junit.xml", () => {
  const xml = junitReport(report);

  it("is of the shape that servers read", async () => {
    expect(await xmlProblems(xml)).toEqual([]);
    expect(await xmlProblems(xml.replace("<failure type=", "<failure kind="))).not.toEqual([]);
  });

  it("has at its root the sum of its suites, also when only rules of every reply are broken", () => {
    for (const cases of [report.cases, report.cases.filter(({ outcome }) => outcome === "passed")]) {
      const found = elementsOf(
        junitReport({ ...report, cases }).replace(/<([a-z]+)( [^>]*)?\/>/g, "<$1$2></$1>"),
      );
      const numbers = (name: string): number[][] =>
        found
          .filter((element) => element.name === name)
          .map(({ attributes }) => ["tests", "failures", "errors"].map((count) => Number(attributes[count])));
      const sums = [0, 1, 2].map((at) =>
        numbers("testsuite").reduce((sum, counts) => sum + (counts[at] ?? 0), 0),
      );
      expect(numbers("testsuites")).toEqual([sums]);
      expect(sums[1]).toBe(found.filter(({ name }) => name === "failure").length);
    }
  });

  it("lists no case that was not selected", () => {
    const filtered = report.cases.filter(({ outcome }) => outcome === "filtered");
    expect(filtered.length).toBeGreaterThan(0);
    for (const { id } of filtered) expect(xml).not.toContain(`name="${id}"`);
  });

  it("has real failures, reasons for what was skipped, and clauses as properties", () => {
    const found = elementsOf(
      xml
        .replace(/<property ([^>]*)\/>/g, "<property $1></property>")
        .replace(/<skipped ([^>]*)\/>/g, "<skipped $1></skipped>"),
    );
    const failures = found.filter(({ name }) => name === "failure");
    expect(failures.map(({ attributes }) => attributes["message"])).toEqual([
      "AUTH-26: /data/plain expected 4xx plain, was plain (plain)",
      "ENV-03: expected 200 as in the status line, was plain (plain)",
    ]);
    expect(failures[0]?.text).toContain('! signed path "/a", the target expected "/bplain"');
    const skipped = found
      .filter(({ name }) => name === "skipped")
      .map(({ attributes }) => attributes["message"]);
    expect(skipped).toEqual([
      "BLOCKED: readOrder is not mapped plain",
      "NOT APPLICABLE: the profile says so",
    ]);
    expect(xml).toContain('<property name="clauses" value="AUTH-26 AUTH-27"/>');
    expect(xml).toMatch(/<system-out>WARNED AUTH-28/);
  });
});

describe("report.tap", () => {
  it("is what a parser makes of it", () => {
    const { ok, points, extra } = readTap(tapReport(report));
    expect({ ok, extra }).toEqual({ ok: false, extra: "" });
    expect(points.map((point) => [point.ok, point.name, point.skip])).toEqual([
      [true, "gen-010-open", false],
      [false, "auth-140-nonce", false],
      [true, "auth-150-race[six]", false],
      [true, "orders-210-read", "BLOCKED: readOrder is not mapped plain"],
      [true, "orders-220-cancel", "not applicable: the profile says so"],
      [true, "orders-230-trade", "not selected: not selected"],
      [false, "orders-240-wait", false],
      [false, "every reply ENV-03 /statusCode", false],
    ]);
    expect(points[1]?.diag).toMatchObject({
      again: "gatewright conform --profile sample.yaml --only 'auth-140-nonce' --seed 7",
      findings: [{ clauses: "AUTH-26", expected: "4xx plain" }],
    });
  });
});

describe("the page", () => {
  const page = htmlReport(report);
  const elements = elementsOf(page);
  const only = (name: string) => elements.filter((element) => element.name === name);

  it("shows what is violated before the grid of all clauses", () => {
    expect(page.indexOf("Violated clauses")).toBeLessThan(page.indexOf("Every clause at a glance"));
  });

  it("allows its own style and script by their digests, and nothing else", () => {
    const policy = only("meta").find(({ attributes }) => attributes["http-equiv"] !== undefined)?.attributes[
      "content"
    ];
    for (const name of ["style", "script"]) {
      expect(only(name)).toHaveLength(1);
      const digest = createHash("sha256")
        .update(only(name)[0]?.text ?? "")
        .digest("base64");
      expect(policy).toContain(`${name}-src 'sha256-${digest}'`);
    }
    expect(policy).toContain("default-src 'none'");
    expect(elements.some(({ attributes }) => attributes["style"] !== undefined)).toBe(false);
    expect(page).not.toMatch(/https?:\/\/(?!127\.0\.0\.1)/);
  });

  it("links only to places that are there", () => {
    const ids = new Set(elements.map(({ attributes }) => attributes["id"]));
    const links = only("a").map(({ attributes }) => attributes["href"]?.slice(1));
    expect(links.length).toBeGreaterThan(20);
    const known = (id: string | undefined) => ids.has(id) || /^clause-(?:AUTH-27|GEN-01)$/.test(id ?? "");
    expect(links.filter((id) => !known(id))).toEqual([]);
  });

  it("says each clause with its place and outcome, and names the line of the signature that differs", () => {
    const auth = only("tr").find(({ attributes }) => attributes["id"] === "clause-AUTH-26");
    expect(auth?.text).toMatch(/What AUTH-26 says\..*Section of AUTH-26.*violated/s);
    const [differs] = only("tr").filter(({ attributes }) => attributes["class"] === "differs");
    expect(differs?.text).toMatch(/^path\/a\/bplain≠$/);
    expect(only("pre").some(({ text }) => text.startsWith("race: 2 requests in 3 ms\nrace[1]"))).toBe(true);
  });

  it("can be read without the script: controls that need it are hidden until it runs", () => {
    const bars = elements.filter(({ attributes }) => attributes["class"] === "filters");
    expect(bars).toHaveLength(2);
    expect(bars.every(({ attributes }) => attributes["hidden"] !== undefined)).toBe(true);
  });
});

describe("orders that are left open", () => {
  const leftovers = Array.from({ length: 260 }, (_, n) => ({
    id: `o${n}`,
    role: "trader",
    product: "BTC-USD",
  }));
  const left: Report = {
    ...report,
    verdict: "CONFORMANT",
    leftovers,
    presence: { ...report.presence, operations: { cancelOrder: "present" } },
  };

  it("are an error among the annotations, the first one, with any verdict", () => {
    const [first = "", ...others] = annotations(left).split("\n");
    expect(first).toMatch(
      /^::error title=LEFT OPEN 260 orders rest at the target::o0 BTC-USD, o1 BTC-USD, .* and 240 more; .*gatewright cleanup/,
    );
    expect(others.join()).not.toContain("LEFT OPEN");
    expect(annotations({ ...left, leftovers: [] })).not.toContain("LEFT OPEN");
  });

  it("are in a box under the verdict of the page, with their ids and advice", () => {
    const [box] = elementsOf(htmlReport(left)).filter(({ attributes }) => attributes["id"] === "left-open");
    expect(box?.attributes["class"]).toContain("card bad");
    expect(box?.text).toMatch(
      /Left open: 260 orders rest.*o0 BTC-USD.*194 more.*o199 BTC-USD.*and 60 more.*gatewright cleanup/s,
    );
    expect(htmlReport({ ...left, leftovers: [] })).not.toContain('left-open"');
  });

  it("are above the tables of the step summary", () => {
    const text = markdownReport(left);
    expect(text.indexOf("**LEFT OPEN: 260 orders rest")).toBeGreaterThan(0);
    expect(text.indexOf("**LEFT OPEN")).toBeLessThan(text.indexOf("| passed |"));
  });
});

describe("annotations", () => {
  it("point at the line of the scenario, one per clause", () => {
    expect(annotations(report).split("\n")).toContain(
      "::error file=scenarios/auth/140-nonce.yaml,line=11,col=5,title=AUTH-26 What AUTH-26 says.::auth-140-nonce: /data/plain: expected 4xx plain, was plain",
    );
  });

  it("are ten at most, and say how many there are beyond", () => {
    const [, failed] = report.cases;
    const [finding] = failed?.findings ?? [];
    const many = Array.from({ length: 13 }, (_, index) =>
      row(`x-${index}`, "failed", {
        findings: [{ ...finding, clauses: [`X-${index}`] } as Report["cases"][number]["findings"][number]],
      }),
    );
    const lines = annotations({ ...report, leftovers: [], cases: many, ambient: [] })
      .trimEnd()
      .split("\n");
    expect(lines.filter((line) => line.startsWith("::error"))).toHaveLength(10);
    expect(lines.at(-1)).toBe("::notice title=gatewright::and 3 more clauses: X-10 X-11 X-12");
  });
});

describe("a failure that the expectation file foresaw", () => {
  const by = "expectations.yaml:3:5";
  const known: Report = {
    ...report,
    cases: report.cases.map((one) => ({
      ...one,
      findings: one.findings.map((finding) => ({ ...finding, expectedBy: by })),
    })),
    ambient: [],
    expectations: [
      {
        place: "expectations.yaml:9:5",
        subject: { kind: "case", id: "x-1" },
        outcome: "fail",
        status: "xpass",
        detail: "it passed: delete the entry",
        reason: "known since spring",
      },
    ],
  };

  it("is skipped with its reason in JUnit, to do in TAP, and no annotation", async () => {
    const xml = junitReport(known);
    expect(await xmlProblems(xml)).toEqual([]);
    expect(xml).toContain(`<skipped type="xfail" message="XFAIL: expected by ${by}: AUTH-26: /data/plain`);
    expect(xml).toMatch(/<testsuites [^>]*failures="0"/);
    const [, failed] = readTap(tapReport(known)).points;
    expect(failed).toMatchObject({ ok: false, todo: `expected by ${by}` });
    expect(annotations({ ...known, leftovers: [] })).not.toContain("::error");
  });

  it("is named on the screen and in the page, with the entries that do not hold", () => {
    const shown = consoleReport(known);
    expect(shown).toContain(`known    expected by ${by}`);
    expect(shown).toContain("EXPECT  expectations.yaml:9:5 (xpass): it passed: delete the entry");
    expect(htmlReport(known)).toContain(`Expected by ${by}`);
    expect(htmlReport(known)).toContain("it passed: delete the entry");
  });
});

describe("the badge", () => {
  const coloured = (verdict: Report["verdict"]) => badgeOf({ ...report, verdict }).color;
  it("is green for CONFORMANT alone and grey where nothing is certain", () => {
    const green = coloured("CONFORMANT");
    const others = (["CONFORMANT_WITH_WARNINGS", "NON_CONFORMANT", "INCOMPLETE", "ERROR"] as const).map(
      coloured,
    );
    expect(others).not.toContain(green);
    expect(coloured("INCOMPLETE")).toMatch(/^#(..)\1\1$/);
  });

  it("says level and numbers", () => {
    expect(badgeOf({ ...report, verdict: "CONFORMANT" })).toMatchObject({
      schemaVersion: 1,
      message: "core 1/5",
    });
    expect(badgeSvg(report)).toContain("<title>conformance: not conformant, core 1/5</title>");
  });
});

describe("the step summary", () => {
  it("has verdict, counts and a row per violated clause", () => {
    const text = markdownReport(report);
    expect(text).toMatch(/^## 🔴 NON&#95;CONFORMANT at level core\n/);
    expect(text).toContain("| 1 | 1 | 1 | 1 | 1 | 1 | 1 |");
    expect(text).toMatch(/\| AUTH&#45;26 \| What AUTH&#45;26 says\. \(Section of AUTH&#45;26\) \|/);
    expect(text).toContain("- no case in this run: EVT&#45;02");
  });
});

describe("the behaviour sheet", () => {
  it("puts rows that were answered alike into one line", () => {
    const rows = ["b", "a", "c"].map((name, index) =>
      row(`odd[${name}]`, "passed", { observations: { "odd status": index === 2 ? "404" : "400" } }),
    );
    const sheet = behaviourSheet({ ...report, cases: rows, clauses: [clause("GEN-01", "satisfied", [])] });
    expect(sheet).toEqual([
      {
        scenario: "odd",
        title: "What odd[b] claims",
        what: "odd status",
        answers: [
          { value: "400", rows: ["a", "b"] },
          { value: "404", rows: ["c"] },
        ],
      },
    ]);
  });

  it("leaves out how a property searched, which says nothing about the target", () => {
    const observations = { runs: "40 of 40", shrinks: "3", seed: "7", "status of a repeat": "200" };
    const found = { ...row("P-16", "failed", { observations }), place: "property P-16" };
    expect(behaviourSheet({ ...report, cases: [found] }).map(({ what }) => what)).toEqual([
      "status of a repeat",
    ]);
    const own = { ...row("odd", "passed", { observations: { seed: "7" } }) };
    expect(behaviourSheet({ ...report, cases: [own] }).map(({ what }) => what)).toEqual(["seed"]);
  });
});
