import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exchangeReasons } from "../domain/rejection.ts";
import { documentedOrderChecks } from "../engine/place-order.ts";
import { checksInOrder } from "../exchanges/checks.ts";
import { version } from "../version.ts";
import { forcedOutcomes } from "../world/outcomes.ts";
import { FaultSchema } from "../world/schema/faults.ts";
import { allControls } from "./all-controls.ts";
import type { ControlRoute } from "./control-route.ts";
import { readFaultRules } from "./fault-rules.ts";
import { readBody } from "./read-body.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("documentation that mirrors code", () => {
  const page = read("docs/control.md");
  const rows = (heading: string): (string | undefined)[] => {
    const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
    return [...section.matchAll(/^\| (`.*) \|$/gm)].map(([, row]) => row);
  };

  it("names every reason of the exchange", () => {
    for (const reason of exchangeReasons) expect(rows("Fault rules").join("\n")).toContain(`\`${reason}\``);
  });

  it("names every fault", () => {
    const kinds = (FaultSchema.oneOf ?? []).map((branch) => branch.properties?.["kind"]?.const);
    const named = rows("Fault rules").flatMap((row) => [
      ...(row?.split(" | ")[0] ?? "").matchAll(/`(\w+)`/g),
    ]);
    expect(new Set(kinds)).toEqual(
      new Set(
        named.map(([, name]) => name ?? "").filter((name) => !["ms", "reason", "steps"].includes(name)),
      ),
    );
  });

  it("lists every outcome on demand", () => {
    const listed = [...read("docs/simulator.md").matchAll(/^\| (`00000e.*) \|$/gm)].map(([, row]) => row);
    expect(listed).toEqual(
      forcedOutcomes.map(({ prefix, code, does }) => `\`${prefix}-\` | \`${code}\` | ${does}`),
    );
  });

  it("lists the checks of a request, and then of a new order, in the order in which they are made", () => {
    const documented = [...read("docs/simulator.md").matchAll(/^\d+\. (.*)$/gm)].map(([, check]) => check);
    expect(documented).toEqual([...checksInOrder.map(({ check }) => check), ...documentedOrderChecks]);
  });

  it("names the version of the package", () => {
    expect(version).toBe((JSON.parse(read("package.json")) as { version: string }).version);
  });
});

const problemsOf = (read: ReturnType<typeof readBody>): unknown =>
  read.ok ? [] : (read.error.details ?? []).map((detail) => Object.values(detail).join(" "));

const bodyOf = (operationId: string): Pick<ControlRoute, "body"> =>
  allControls.find((route) => route.operationId === operationId) ?? {};

describe("a body", () => {
  it("that is wrong has every mistake named at once, and an example shown", () => {
    const result = readBody(bodyOf("adjustBalance"), { amuont: "1", asset: 5, direction: "up" });
    expect(problemsOf(result)).toEqual([
      'amuont is unknown; did you mean "amount"?',
      "asset must be 1 to 20 capital letters or digits, such as BTC, was 5",
      'direction must be one of credit, debit, was "up"',
    ]);
    expect(result.ok ? "" : result.error.message).toContain(
      '(and 2 more: see details). For example: {"asset":"USD","amount":"500","direction":"credit"}',
    );
  });

  it("is asked about in a sentence with one end", () => {
    const valid = { asset: "USD", amount: "1", direction: "credit" };
    const result = readBody(bodyOf("adjustBalance"), { ...valid, amuont: "1" });
    expect(result.ok ? "" : result.error.message).toContain('did you mean "amount"? For example: {');
  });

  it("that is no object is refused", () => {
    for (const body of [[], "x", 1, null])
      expect(problemsOf(readBody({}, body))).toEqual([
        expect.stringMatching(/^ the body must be a section with properties, was /),
      ]);
  });

  it("may leave out what is optional, or say null", () => {
    for (const body of [{ advanceMs: 1 }, { advanceMs: 1, to: null }])
      expect(readBody(bodyOf("moveClock"), body)).toEqual({ ok: true, value: body });
  });
});

const knownRoutes = {
  products: [{ id: "BTC-USD" }],
  keys: [{ name: "trader" }],
};

describe("fault rules", () => {
  const rulesOf = (given: unknown): unknown => {
    const body = readBody<{ readonly rules: Parameters<typeof readFaultRules>[0] }>(
      // as: the body of this control.
      bodyOf("setFaults") as never,
      { rules: given },
    );
    if (!body.ok) return problemsOf(body);
    const rules = readFaultRules(body.value.rules, knownRoutes);
    return rules.ok ? rules.value : rules.error.map(({ field, issue }) => `${field} ${issue}`);
  };

  it("are read with the defaults of an unknown outcome", () => {
    const fault = { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 1000 };
    expect(rulesOf([{ id: "a", fault: { kind: "externalFailure", outcome: "unknown" } }])).toEqual([
      { id: "a", fault },
    ]);
  });

  it.each([
    [[{ id: "a" }], "rules[0] needs a fault, or an outcome in its place"],
    [
      [{ id: "a", fault: { kind: "stukPending" } }],
      /rules\[0\].fault.kind must be one of .*"stuckPending"\?/,
    ],
    [
      [{ id: "a", fault: { kind: "status", status: 404 } }],
      "rules[0].fault.status must be one of 429, 500, 503, was 404",
    ],
    [
      [{ id: "a", fault: { kind: "delay", ms: 10_000_000 } }],
      "rules[0].fault.ms must be a whole number from 0 to 600000 ms, was 10000000",
    ],
    [
      [{ id: "a", fault: { kind: "stuckPending" }, colour: "red" }],
      /^rules\[0\].colour is unknown; known here: id/,
    ],
    ["none", /^rules must be a list, was "none"; each entry has id, fault, outcome, route, /],
    [
      [{ id: "a", key: "traider", fault: { kind: "stuckPending" } }],
      'rules[0].key refers to key "traider", which does not exist; did you mean "trader"?',
    ],
  ])("are refused where they are wrong: %j", (rules, problem) => {
    expect(rulesOf(rules)).toEqual([typeof problem === "string" ? problem : expect.stringMatching(problem)]);
  });
});

describe("settings", () => {
  it.each([
    [{ stp: "none", matchDelayMs: 0, slippageCollarBps: null }, []],
    [{ stp: "sometimes" }, ["stp"]],
    [{ matchDelayMs: -1, maxOpenOrders: "many" }, ["matchDelayMs", "maxOpenOrders"]],
    [{ speed: 3 }, ["speed"]],
  ])("are checked one by one: %j", (given, wrong) => {
    const read = readBody(bodyOf("changeSettings"), given);
    const fields = read.ok ? [] : (read.error.details ?? []).map((detail) => Object.values(detail)[0]);
    expect(fields).toEqual(wrong);
  });
});
