/** The exam, sat by the clients of docs/clients, and by programs that cannot pass it. */
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import * as kit from "../../conformance/commands.ts";
import { triesAll } from "../../tools/sampled.ts";
import { main } from "../gatewright.ts";
import { situations } from "./all-situations.ts";
import { type ExamOptions, runExam } from "./exam.ts";
import { rules } from "./rules/all-rules.ts";
import { taskNames } from "./situation.ts";
import { compiledClient, root } from "./testing/compile-client.ts";
import { tooSlow } from "./unjudged.ts";

const withoutPython = spawnSync("python3", ["--version"], { stdio: "ignore" }).error !== undefined;

const sit = (command: string, more: Partial<ExamOptions> = {}) =>
  runExam({ command, again: "", tasks: taskNames, only: [], limitMs: 60_000, seed: 1, jobs: 4, ...more });

const python = (file: string): string => `python3 ${path.join(root, "docs/clients", file)}`;
const typescript = (file: string): string =>
  `${process.execPath} ${compiledClient(path.join("docs/clients", file))}`;

/** A client in the language that starts sooner, where the machine has it. */
const client = (name: string): string => (withoutPython ? typescript(`${name}.ts`) : python(`${name}.py`));

/** One client for all tasks. */
const allTasks = (): string =>
  `case $(cat $GATEWRIGHT_TASK) in *place*|*cancel*) ${client("careful")};; *) ${client("stream/follow")};; esac`;

/** The first passes all of follow below, with a certificate, and the third passes cancel in docs/exam.int.test.ts. */
const clients = [
  { language: "Python", command: () => python("stream/follow.py"), tasks: ["follow"] },
  { language: "Python", command: () => python("stream/follow.py"), tasks: ["book"] },
  { language: "Python", command: () => python("careful.py"), tasks: ["place", "cancel"] },
  { language: "TypeScript", command: () => typescript("careful.ts"), tasks: ["place", "cancel"] },
  { language: "TypeScript", command: () => typescript("stream/follow.ts"), tasks: ["follow", "book"] },
] as const;

describe("the exam", () => {
  it.runIf(triesAll).for(clients)(
    "is passed by the client in $language for $tasks",
    async ({ language, command, tasks }, { skip }) => {
      skip(language === "Python" && withoutPython, "there is no python3 on this machine");
      const { report } = await sit(command(), { tasks });
      const asked = report.cases.filter(({ outcome }) => outcome !== "notApplicable");
      expect(
        asked
          .filter(({ outcome }) => outcome !== "passed")
          .map(({ id, reason, findings }) => ({ id, reason, findings })),
      ).toEqual([]);
      expect(report).toMatchObject({ subject: "client", verdict: "CONFORMANT", exitCode: 0 });
      expect(asked.map(({ id }) => id)).toEqual(
        situations.filter(({ task }) => tasks.some((one) => one === task)).map(({ id }) => id),
      );
    },
  );

  it.runIf(triesAll)("gives a client that connects too late a second turn, with more time", async () => {
    const late = `sleep 3; exec ${typescript("stream/follow.ts")}`;
    const { report } = await sit(late, { only: ["follow-cut-short-lived"] });
    expect(report.summary.cases).toMatchObject({ passed: 1, blocked: 0 });
  });

  it("gives every rule something to judge", async () => {
    const only = [
      "place-undisturbed",
      "place-rate-limited",
      "place-failing",
      "place-refused",
      "cancel-undisturbed",
      "book-undisturbed",
    ];
    const given = () => sit(allTasks(), { only });
    let { report } = await given();
    // On a machine that is too slow for both turns nothing was judged.
    while (report.cases.some(({ reason }) => reason === tooSlow)) ({ report } = await given());
    const strange = report.cases.filter(({ outcome }) => outcome === "failed" || outcome === "error");
    expect(strange).toEqual([]);
    expect(report.clauses.filter(({ outcome }) => outcome !== "satisfied").map(({ id }) => id)).toEqual([]);
  });

  it("keeps what came of a situation that was not passed: requests, messages and stderr", async () => {
    const dying = `echo "about to die" >&2; ${client("stream/follow")} >/dev/null`;
    const { report } = await sit(dying, { only: ["follow-undisturbed"] });
    const [failed] = report.cases.filter(({ outcome }) => outcome === "failed");
    expect(failed?.stderr).toContain("about to die");
    const [handshake] = failed?.trace?.exchanges ?? [];
    expect(handshake).toMatchObject({ method: "GET", status: 101 });
    expect(handshake?.detail?.replyBody?.text).toMatch(/"channel":"orders"[^]*"event":"FILL"/);
    expect(report.target.notes).toEqual({
      tasks: "place, cancel, follow, book",
      situations: `1 of ${situations.length}`,
    });
  });

  it("is not passed by a program that does nothing or hangs, and tells a command that cannot be started", async () => {
    const only = ["place-undisturbed"];
    const outcomes = async (command: string, limitMs = 60_000) => {
      const { report } = await sit(command, { only, limitMs });
      const violated = report.clauses.filter(({ outcome }) => outcome === "violated").map(({ id }) => id);
      return [report.exitCode, ...violated];
    };
    expect(await outcomes("true")).toEqual([1, "EX-02", "EX-14"]);
    expect(await outcomes("sleep 1000", 300)).toEqual([1, "EX-14"]);
    await expect(outcomes("./no-such-client")).rejects.toThrow(
      /exit code 127 before it sent anything[^]*not found/,
    );
  });

  it("ends the client when it is interrupted, and judges nothing that did not end", async () => {
    const stop = new AbortController();
    const only = ["place-undisturbed", "place-answer-lost"];
    const sitting = sit("sleep 1000", { only, jobs: 1, signal: stop.signal });
    setTimeout(() => stop.abort("SIGINT"), 100);
    const { report } = await sitting;
    expect(report).toMatchObject({
      verdict: "INCOMPLETE",
      exitCode: 130,
      summary: { cases: { blocked: 2, failed: 0 } },
    });
  });
});

interface Report {
  readonly verdict: string;
  readonly cases: readonly { readonly id: string; readonly outcome: string }[];
}

describe("the reports and the certificate of an exam", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gatewright-exam-"));
  const at = (name: string): string => path.join(folder, name);
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(at("key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(at("key.pub.pem"), publicKey.export({ type: "spki", format: "pem" }));
  const run = (...args: string[]) =>
    main(["node", "gatewright", ...args], "0").finally(() => (process.exitCode = undefined));
  const signed = ["--key", at("key.pem"), "--challenge", "A WORD", "--out", at("certificate.json")];

  it("is signed for a client that passes a whole task, and holds", async () => {
    const passes = ["exam", "--client", client("stream/follow"), "--tasks", "follow", "--name", "acme"];
    expect(await run(...passes, ...signed)).toBe(0);
    const [certificate, report] = [at("certificate.json"), at("report.json")];
    const { verdict, cases } = JSON.parse(readFileSync(report, "utf8")) as Report;
    const passed = cases.filter(({ outcome }) => outcome === "passed").map(({ id }) => id);
    expect([verdict, ...passed]).toEqual([
      "CONFORMANT",
      ...situations.filter(({ task }) => task === "follow").map(({ id }) => id),
    ]);
    expect(JSON.parse(readFileSync(certificate, "utf8"))).toMatchObject({ client: "acme", tasks: "follow" });
    expect(
      await run("verify", certificate, report, "--key", at("key.pub.pem"), "--challenge", "A WORD"),
    ).toBe(0);
    expect(await run("verify", certificate, report)).toBe(3);
    expect(await run("verify", certificate, report, "--key", at("key.pub.pem"), "--challenge", "OTHER")).toBe(
      1,
    );
  });

  it("is not signed for a selection, of which every report is written, and asks for a challenge", async () => {
    writeFileSync(at("certificate.json"), "");
    const reports = kit.reportFormats.flatMap((format) => ["--report", `${format}=${at(format)}`]);
    const selection = ["--tasks", "place", "--only", "place-answer-lost"];
    const args = ["exam", "--client", typescript("careful.ts"), ...selection];
    expect(await run(...args, ...reports, ...signed)).toBe(3);
    expect(readFileSync(at("certificate.json"), "utf8")).toBe("");
    expect(JSON.parse(readFileSync(at("json"), "utf8"))).toMatchObject({
      subject: "client",
      verdict: "INCOMPLETE",
      summary: { cases: { passed: 1 } },
    });
    const html = readFileSync(at("html"), "utf8");
    expect(html).toContain("exam of a client");
    expect(html).toContain("in the situations that were selected");
    expect(readFileSync(at("junit"), "utf8")).toContain('name="place-answer-lost"');
    expect(readFileSync(at("ndjson"), "utf8")).toContain('"subject":"client"');
    expect(await run(...args, "--key", at("key.pem"))).toBe(2);
  });
});

describe("docs/exam.md", () => {
  const page = readFileSync(path.join(root, "docs/exam.md"), "utf8");
  const rowsUnder = (heading: string): string[] => {
    const [, part = ""] = page.split(`\n## ${heading}\n`);
    return (part.split("\n## ")[0] ?? "").split("\n").filter((line) => /^\| [`E]/.test(line));
  };

  it("has every situation", () => {
    expect(rowsUnder("The situations")).toEqual(
      situations.map(({ id, title }) => `| \`${id}\` | ${title} |`),
    );
  });

  it("has every rule", () => {
    expect(rowsUnder("The rules")).toEqual(
      rules.map(({ id, level, statement }) => `| ${id} | ${level} | ${statement} |`),
    );
  });
});
