// tidy-allow-file whitespace: the messages that are compared end their source lines as they stand
import { afterAll, describe, expect, it } from "vitest";
import { operationNames } from "../contract/operations.ts";
import { lintScenario } from "../lint/lint-scenario.ts";
import { ClauseRegister } from "../model/clause.ts";
import { renderProblem } from "../model/position.ts";
import { toSections } from "./scenario.ts";
import { checkSchema } from "./schema-check.ts";
import { readSource } from "./source.ts";
import { YamlProcess } from "./yaml-process.ts";
import { YamlReader } from "./yaml-reader.ts";

const reader = new YamlReader();
afterAll(() => reader[Symbol.dispose]());

const clause = {
  statement: "s",
  level: "required",
  basis: "stated",
  aliasOf: [],
  certificate: "core",
  needs: [],
} as const;
const clauses = new ClauseRegister(["PLC-01", "PLC-02"].map((id) => ({ id, ...clause })));
const context = {
  clauses,
  operations: operationNames,
  fragments: new Map([["resting-order", { name: "resting-order", steps: [], vars: {}, shared: false }]]),
};

/** The problems in a scenario, as they are printed. */
async function problemsIn(text: string): Promise<string> {
  const reading = await readSource("case.yaml", text, reader);
  if (!reading.ok) return reading.problems.map(renderProblem).join("\n");
  const schema = checkSchema(reading.source, "scenario");
  const problems =
    schema.length > 0 ? schema : lintScenario(reading.source, toSections(reading.source), context);
  return problems.map(renderProblem).join("\n");
}

const scenario = (steps: string, more = ""): string =>
  `kit: 1\nid: a-case\ntitle: T\nspec: [PLC-01]\n${more}steps:\n${steps}`;

describe("a scenario with a mistake is refused with the place, the line, a caret and advice", () => {
  it("an unknown key", async () => {
    expect(await problemsIn(scenario("  - call: { op: placeOrder, boddy: {} }\n"))).toMatchInlineSnapshot(`
      "case.yaml:6:29: unknown key "boddy"
        6 |   - call: { op: placeOrder, boddy: {} }
          |                             ^
        did you mean "body"?"
    `);
  });
  it.each([
    ["an operation that is no text", "  - call: { op: 5 }\n", /:6:\d+: expected string, found the number 5/],
    [
      "a macro that is no text",
      "  - call: { op: products }\n    expect: { $macro: [placed] }\n",
      /:7:\d+: expected string, found a list/,
    ],
    [
      "a capture that is no text and no mapping",
      "  - call: { op: products }\n    capture: { id: [a] }\n",
      /:7:\d+: expected string or object, found a list/,
    ],
    [
      "a capture that is no pointer",
      "  - call: { op: placeOrder }\n    capture: { orderId: data.order.id }\n",
      /^case\.yaml:7:25: "data\.order\.id" is no pointer[^]*did you mean '#\/data\/order\/id'\?/,
    ],
    [
      "a parameter that the operation does not have",
      "  - call: { op: cancelOrder, params: { orderId: x } }\n",
      /^case\.yaml:6:40: cancelOrder has no parameter "orderId"[^]*it has id/,
    ],
    [
      "a status that no order has",
      "  - call: { op: readOrder, params: { id: x } }\n    expect: { order: { status: CANCELED } }\n",
      /^case\.yaml:7:32: "CANCELED" is no status of an order[^]*did you mean "CANCELLED"\?/,
    ],
    [
      "a status among others that no order has",
      "  - call: { op: readOrder, params: { id: x } }\n    expect: { order: { status: { $in: [OPEN, DONE] } } }\n",
      /"DONE" is no status of an order[^]*an order has OPEN, /,
    ],
    [
      "a matcher by the name of another tool",
      "  - call: { op: products }\n    expect: { body: { data: { $equals: 1 } } }\n",
      /unknown matcher \$equals[^]*did you mean "\$eq"\?/,
    ],
    [
      "a matcher that resembles none",
      "  - call: { op: products }\n    expect: { body: { data: { $somethingElse: 1 } } }\n",
      /unknown matcher \$somethingElse[^]*known: .*\$dec, .*\$eq/,
    ],
    [
      "a key below one that has a value",
      "  - call: { op: products }\n    id: one\n      note: two\n",
      /^case\.yaml:8:7: this line is indented further than the key above it, which has a value already\n {2}8 \| {7}note: two/,
    ],
    [
      "a key beside the others",
      "  - call: { op: products }\n   id: one\n",
      /^case\.yaml:7:4: this line does not begin where the others/,
    ],
    [
      "two keys in a line",
      "  - note: a: b\n    call: { op: products }\n",
      /^case\.yaml:6:11: there are two keys in one line/,
    ],
  ])("%s", async (_, steps, said) => {
    expect(await problemsIn(scenario(steps))).toMatch(said);
  });
  it("an unquoted decimal", async () => {
    expect(
      await problemsIn(scenario("  - call: { op: placeOrder, body: { price: 1.10 } }\n")),
    ).toMatchInlineSnapshot(`
      "case.yaml:6:44: the number 1.10 would lose its spelling
        6 |   - call: { op: placeOrder, body: { price: 1.10 } }
          |                                            ^
        write it in quotes: '1.10'"
    `);
  });
  it("an unquoted whole number where a decimal belongs", async () => {
    expect(
      await problemsIn(scenario("  - call: { op: placeOrder, body: { price: 100 } }\n")),
    ).toMatchInlineSnapshot(`
      "case.yaml:6:44: price is a decimal: an unquoted number would be sent as a JSON number
        6 |   - call: { op: placeOrder, body: { price: 100 } }
          |                                            ^
        write '100' in quotes, or { $json: '100' } when a JSON number is what you mean to send"
    `);
  });
  it("a wrong type", async () => {
    expect(
      await problemsIn("kit: 1\nid: a-case\ntitle: T\nspec: PLC-01\nsteps: []\n"),
    ).toMatchInlineSnapshot(`
      "case.yaml:4:7: expected array, found "PLC-01"
        4 | spec: PLC-01
          |       ^
      case.yaml:5:8: expected at least 1 item, found none or too few
        5 | steps: []
          |        ^"
    `);
  });
  it("a step that does two things", async () => {
    expect(await problemsIn(scenario("  - call: { op: products }\n    sleep: 1s\n"))).toMatchInlineSnapshot(`
      "case.yaml:6:5: a step has one action; this one has call and sleep
        6 |   - call: { op: products }
          |     ^"
    `);
  });
  it("an operation that does not exist", async () => {
    expect(await problemsIn(scenario("  - call: { op: placeOrdr }\n"))).toMatchInlineSnapshot(`
      "case.yaml:6:17: there is no operation "placeOrdr"
        6 |   - call: { op: placeOrdr }
          |                 ^
        did you mean "placeOrder"?"
    `);
  });
  it("a clause that does not exist", async () => {
    expect(
      await problemsIn(scenario("  - call: { op: products }\n    spec: PLC-03\n")),
    ).toMatchInlineSnapshot(`
      "case.yaml:7:11: there is no clause PLC-03
        7 |     spec: PLC-03
          |           ^
        did you mean "PLC-01"?"
    `);
  });
  it("a matcher that does not exist", async () => {
    expect(
      await problemsIn(
        scenario("  - call: { op: products }\n    expect: { body: { data: { $eahc: 1 } } }\n"),
      ),
    ).toMatchInlineSnapshot(`
      "case.yaml:7:31: unknown matcher $eahc
        7 |     expect: { body: { data: { $eahc: 1 } } }
          |                               ^
        did you mean "$each"?"
    `);
  });
  it("a pattern that no engine in linear time has", async () => {
    expect(
      await problemsIn(
        scenario("  - call: { op: products }\n    expect: { body: { a: { $re: 'ab(?!c)' } } }\n"),
      ),
    ).toMatchInlineSnapshot(`
      "case.yaml:7:33: $re a pattern may not look ahead or behind: "(?!" at character 3
        7 |     expect: { body: { a: { $re: 'ab(?!c)' } } }
          |                                 ^"
    `);
  });
  it("a name without a value", async () => {
    expect(
      await problemsIn(scenario("  - call: { op: products, as: '${roel}' }\n", "vars: { role: trader }\n")),
    ).toMatchInlineSnapshot(`
      "case.yaml:7:31: \${roel} is not defined in this file
        7 |   - call: { op: products, as: '\${roel}' }
          |                               ^
        did you mean "role"?"
    `);
  });
  it.each([
    ["a macro", "expect: { $macro: replayed(orderI) }"],
    ["$eqVar", "expect: { body: { data: { id: { $eqVar: orderI } } } }"],
    ["$neVar", "should: { order: { id: { $neVar: orderI.id } } }"],
  ])("a name without a value in %s: the answer would be compared with nothing", async (_, judged) => {
    const steps = `  - { call: { op: products }, capture: { orderId: '#/data/id' } }\n  - { call: { op: products }, ${judged} }\n`;
    const said = await problemsIn(scenario(steps));
    expect(said).toMatch(/^case\.yaml:7:\d+: orderI is not defined in this file/);
    expect(said).toContain('did you mean "orderId"?');
    expect(
      await problemsIn(scenario(steps.replaceAll("orderI.id", "orderI").replaceAll(/orderI\b/g, "orderId"))),
    ).toBe("");
  });
  it("a key that occurs twice", async () => {
    expect(await problemsIn("kit: 1\nid: a\nid: b\n")).toMatchInlineSnapshot(`
      "case.yaml:3:1: the key "id" occurs twice here
        3 | id: b
          | ^"
    `);
  });
  it("an alias", async () => {
    expect(await problemsIn("kit: 1\na: &x 1\nb: *x\n")).toMatchInlineSnapshot(`
      "case.yaml:3:4: anchors and aliases are not read: write the value out, or use a fragment
        3 | b: *x
          |    ^"
    `);
  });
  it("a fragment that does not exist, a sleep without a reason, and an unknown channel", async () => {
    expect(
      await problemsIn(
        scenario("  - use: resting-ordr\n  - sleep: 1s\n  - ws: { subscribe: { channel: ordrs } }\n"),
      ),
    ).toMatchInlineSnapshot(`
      "case.yaml:6:10: there is no fragment "resting-ordr"
        6 |   - use: resting-ordr
          |          ^
        did you mean "resting-order"?
      case.yaml:7:5: a sleep needs a note that says why a poll will not do
        7 |   - sleep: 1s
          |     ^
      case.yaml:8:33: there is no channel "ordrs"
        8 |   - ws: { subscribe: { channel: ordrs } }
          |                                 ^
        did you mean "orders"?"
    `);
  });
  it("YAML that is none", async () => {
    expect(await problemsIn("kit: [1\n")).toMatchInlineSnapshot(`
      "case.yaml:2:1: Flow sequence in block collection must be sufficiently indented and end with a ]
        2 | 
          | ^"
    `);
  });
});

describe("hostile YAML", () => {
  const nested = "[".repeat(5000);

  it("is turned away before any parser sees it", async () => {
    expect(await problemsIn(nested)).toContain("nests deeper than 32 levels");
    expect(await problemsIn("? ".repeat(500))).toContain("nests deeper than 32 levels");
    expect(await problemsIn(`a: '${"x".repeat(300_000)}'`)).toContain("at most 262144 are read");
    const keys = Array.from({ length: 20_001 }, (_, index) => `k${index}: 1`).join("\n");
    expect(await problemsIn(keys)).toContain("more than 20000 nodes");
  });

  it("may kill the child, never the kit, and the next file is read by a new child", async () => {
    using alone = new YamlProcess();
    const first = await alone.read(nested);
    const second = await alone.read(nested);
    expect(first.root).toBeUndefined();
    expect(second.root).toBeUndefined();
    expect((await alone.read("a: 1\n")).root).toMatchObject({ entries: [{ key: "a" }] });
  });

  it("is given a time, and the files behind it are read all the same", async () => {
    using alone = new YamlProcess(1_500);
    const keys = Array.from({ length: 60_000 }, (_, index) => `? k${index}\n: {}`).join("\n");
    const hostile = `${"? ".repeat(600)}\n${keys}`;
    const readings = await Promise.all(["a: 1\n", hostile, "b: 1\n"].map((text) => alone.read(text)));
    expect(readings[0]?.root).toMatchObject({ entries: [{ key: "a" }] });
    expect(readings[1]?.root).toBeUndefined();
    expect(readings[2]?.root).toMatchObject({ entries: [{ key: "b" }] });
  });

  it("is not charged with the time that this process was busy", async () => {
    using alone = new YamlProcess(1_500);
    await alone.read("a: 1\n");
    const reading = alone.read("b: 1\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    expect((await reading).root).toMatchObject({ entries: [{ key: "b" }] });
  });

  it("cannot name __proto__", async () => {
    expect(await problemsIn("kit: 1\n__proto__: { polluted: true }\n")).toContain("__proto__ is not read");
  });

  it("brackets in quotes and apostrophes in words are text", async () => {
    const steps = `  - call: { op: placeOrder, bodyText: '${"[".repeat(100)}' }\n    note: it isn't deep {[(\n`;
    expect(await problemsIn(scenario(steps))).toBe("");
  });
});
