import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lex } from "./lexer.ts";
import { projectOf } from "./project.ts";
import { problemsIn } from "./rule.ts";
import { rules } from "./rules.ts";

type Files = Readonly<Record<string, string>>;

const law = "docs/architecture.md";
const page = readFileSync(new URL(`../../${law}`, import.meta.url), "utf8");
const layers = {
  [law]: `${page}<!-- tidy-allow-file references: its files are not in a small project -->\n`,
};

/** The names of the rules that object to a project made of these files. */
function objections(files: Files): string[] {
  const all = problemsIn(projectOf({ ...layers, ...files }), rules).map(
    (problem) => /\[([\w-]+)\]$/.exec(problem)?.[1] ?? problem,
  );
  return [...new Set(all)];
}

/** With a header in each source, so that a test is about one rule only. */
const headed = (files: Files): Files =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, name.endsWith(".ts") ? `/** A. */\n${text}` : text]),
  );

const clauses = { "fixtures/spec/clauses.json": '{ "clauses": [{ "id": "AUTH-01" }] }' };
const freedoms = { "fixtures/spec/freedoms.yaml": "freedoms:\n  - id: F-nonce-scope\n" };
const manifest = { "package.json": '{ "dependencies": { "ws": "1" } }\n' };
const row = "| `ws` | sockets | MIT |\n";

const terms = { "docs/glossary.md": "| fault | a failure to order | `Fault` | `mischief`, `tidyUp` |\n" };

const broken: readonly [rule: string, what: string, files: Files][] = [
  [
    "glossary",
    "a name has a word that the glossary rules out",
    { ...terms, "simulator/a.ts": "class MoreMischief {}\n" },
  ],
  ["glossary", "so has a file", { ...terms, "simulator/mischief.ts": "" }],
  ["glossary", "so has a part of a name", { ...terms, "bin/a.ts": "const tidyUpOrders = 1;\n" }],
  ["absence", "a type has two", { "simulator/a.ts": "type A = string | null | undefined;\n" }],
  ["absence", "a member may be left out and null", { "bin/a.ts": "interface A {\n  b?: C | null;\n}\n" }],
  ["absence", "a function finds null", { "bin/a.ts": "function a(): Promise<A | null> {}\n" }],
  ["absence", "a variable begins with null", { "bench/a.ts": "let a: A | null = null;\n" }],
  ["absence", "an argument does", { "bench/a.ts": "function a(b = null) {}\n" }],
  ["absence", "a private member may be null", { "bin/a.ts": "class A {\n  readonly #b: C | null;\n}\n" }],
  ["header", "a source says nowhere what it is for", { "bin/a.ts": "export const a = 1; // Why.\n" }],
  [
    "header",
    "only a member of it is explained",
    { "bin/a.ts": "interface A {\n  /** One. */\n  b: 1;\n}\n" },
  ],
  ["header", "a header is made of lines", { "tools/a.mjs": "// About it.\n\n/** One. */\nconst a = 1;\n" }],
  [
    "header",
    "a header is below the imports",
    { "bin/a.ts": 'import "node:fs";\n\n/** About it. */\n\nexport const a = 1;\n' },
  ],
  [
    "layering",
    "the simulator imports the kit",
    { "simulator/http/a.ts": 'import "../../conformance/index.ts";\n' },
  ],
  [
    "layering",
    "a test of the kit imports the simulator",
    { "conformance/a.test.ts": 'import("../simulator/index.ts");\n' },
  ],
  [
    "layering",
    "a room imports one above it",
    { "simulator/domain/a.ts": 'import { b } from "../engine/b.ts";\n' },
  ],
  ["layering", "a room imports a neighbour", { "simulator/store/a.ts": 'export * from "../wire/b.ts";\n' }],
  [
    "layering",
    "a room imports the top of its side",
    { "simulator/http/a.ts": 'import { b } from "../compose.ts";\n' },
  ],
  [
    "layering",
    "a room imports more than a port",
    { "simulator/store/a.ts": 'import "../sequencer/b.ts";\n' },
  ],
  [
    "on-demand",
    "a venue loads defects that were not requested",
    { "simulator/compose.ts": 'import { seamsOf } from "./defects/install.ts";\n' },
  ],
  ["layering", "the engine imports a package", { "simulator/engine/a.ts": 'import fs from "node:fs";\n' }],
  [
    "layering",
    "the wrong file imports decimal.js",
    { "simulator/domain/a.ts": 'import { D } from "decimal.js";\n' },
  ],
  [
    "layering",
    "a program passes by the front door",
    { "bin/a.ts": 'import { b } from "../simulator/compose.ts";\n' },
  ],
  [
    "layering",
    "a side imports the program",
    { "simulator/compose.ts": 'import { b } from "../bin/b.ts";\n' },
  ],
  ["layering", "data is imported", { "simulator/compose.ts": 'import a from "../fixtures/a.json";\n' }],
  [
    "layering",
    "source imports what tests use",
    { "simulator/engine/a.ts": 'import { b } from "./testing/b.ts";\n' },
  ],
  ["layering", "a folder has no row", { "simulator/utils/a.ts": 'import "./b.ts";\n' }],
  [
    "layering",
    "a child process crosses over",
    { "conformance/a.ts": 'new URL("../simulator/a.ts", import.meta.url);\n' },
  ],
  [
    "layering",
    "a type import crosses over",
    { "conformance/a.ts": 'import type {\n  B,\n} from "../simulator/b.ts";\n' },
  ],
  ["two-boundaries", "a third index.ts", { "simulator/engine/index.ts": "export const a = 1;\n" }],
  ["whitespace", "a blank at the end", { "docs/a.md": "a \n" }],
  ["whitespace", "a carriage return", { "docs/a.md": "a\r\nb\n" }],
  ["whitespace", "a tab", { "docs/a.md": "\ta\n" }],
  ["whitespace", "no line feed at the end", { "docs/a.md": "a" }],
  ["whitespace", "an empty line at the end", { "docs/a.md": "a\n\n" }],
  ["no-machines", "a folder of one machine", { "docs/a.md": `see ${"/home"}/notes\n` }],
  ["no-machines", "a temporary folder", { "bin/a.ts": `export const a = "${"/tmp"}/a";\n` }],
  ["no-machines", "a registry", { "docs/a.md": `https://registry.${"npmjs"}.org\n` }],
  [
    "cited-clauses",
    "a scenario cites a clause that is not there",
    { ...clauses, "scenarios/a.yaml": "clause: AUTH-99\n" },
  ],
  ["cited-clauses", "a comment does", { ...clauses, "simulator/auth/a.ts": "// AUTH-98\n" }],
  [
    "cited-freedoms",
    "a freedom that is not there",
    { ...freedoms, "simulator/auth/a.ts": "// F-nonce-scop\n" },
  ],
  ["references", "a comment names a file that is gone", { "bin/a.ts": "// See model/gone.ts.\n" }],
  ["references", "a comment names a folder that is gone", { "bin/a.ts": "// All of bin/gone.\n" }],
  ["references", "a page links to nothing", { "docs/a.md": "[b](b.md)\n" }],
  ["references", "a page links to a section that is gone", { "docs/a.md": "# A\n\n[b](#b)\n" }],
  ["references", "a comment does", { "docs/a.md": "# A\n", "bin/a.ts": "// docs/a.md#b\n" }],
  ["references", "a file of YAML does", { "scenarios/a.yaml": "a: 1\n# See docs/a.md.\n" }],
  ["references", "a numbered section", { "docs/a.md": "# A\n", "bin/a.ts": "// a.md 6.2\n" }],
  ["documented-dependencies", "a package without a reason", { ...manifest, "docs/dependencies.md": "\n" }],
  [
    "documented-dependencies",
    "an empty reason",
    { ...manifest, "docs/dependencies.md": "| `ws` |  | MIT |\n" },
  ],
  [
    "documented-dependencies",
    "a reason without its package",
    { ...manifest, "docs/dependencies.md": `${row}| \`a\` | b | MIT |\n` },
  ],
];

const sound: readonly [what: string, files: Files][] = [
  ["imports that point down", { "simulator/engine/a.ts": 'import { b } from "../domain/b.ts";\n' }],
  ["a program that uses the front doors", { "bin/a.ts": 'import { b } from "../simulator/index.ts";\n' }],
  [
    "tests that use their whole side",
    { "simulator/engine/a.test.ts": 'import { b } from "../store/b.ts";\n' },
  ],
  [
    "a port that the store fills",
    { "simulator/store/a.ts": 'import type { B } from "../sequencer/ports.ts";\n' },
  ],
  ["decimal.js in its file", { "conformance/check/decimal.ts": 'import { Decimal } from "decimal.js";\n' }],
  [
    "banned words in comments and strings",
    { "simulator/engine/a.ts": '// null | undefined\nexport const a = "undefined | null";\n' },
  ],
  [
    "clauses and freedoms that exist",
    { ...clauses, ...freedoms, "scenarios/a.yaml": "id: AUTH-01\n# F-nonce-scope\n" },
  ],
  [
    "files, folders and sections that exist",
    {
      "docs/a.md": "# The `b` of C\n\n[here](#the-b-of-c), [there](../bin/), `bin/a.ts`, bin/x-*.ts\n",
      "bin/a.ts": "// docs/a.md#the-b-of-c, a.md, bin/a; RFC 8785, section 3.2.2; https://a.example/b.md\n",
    },
  ],
  ["a scenario named after its clause", { ...clauses, "scenarios/a.yaml": "id: AUTH-10-old-nonce\n" }],
  ["a documented dependency", { ...manifest, "docs/dependencies.md": row }],
  [
    "data of an answer",
    { "conformance/model/a.ts": "interface A {\n  readonly cursor: string | null;\n}\n" },
  ],
  [
    "JSON",
    {
      "conformance/model/a.ts": "type Json = null | string;\nif (a === null || b !== null) c({ d: null });\n",
    },
  ],
  ["what a simulator finds", { "simulator/engine/a.ts": "const a = (): B | null => null;\n" }],
  ["a path of the interface", { "docs/a.md": "GET /api/v1/trading/order/open\n" }],
];

describe("each rule can fail", () => {
  it.each(broken)("%s: %s", (rule, _what, files) => {
    expect(objections(rule === "header" ? files : headed(files))).toEqual([rule]);
  });

  it("every rule has something here that it objects to", () => {
    expect(new Set(broken.map(([rule]) => rule))).toEqual(new Set(rules.map((rule) => rule.name)));
  });
});

describe("no rule objects to", () => {
  it.each(sound)("%s", (_what, files) => {
    expect(objections(headed(files))).toEqual([]);
  });
});

describe("an exception", () => {
  const source = (comment: string): Files => ({
    "simulator/engine/a.ts": `${comment}\nexport type A = null | undefined;\n\nexport type C = null | undefined;\n`,
  });
  const findings = (comment: string) =>
    problemsIn(projectOf({ ...layers, ...headed(source(comment)) }), rules).length;

  it("is granted to a line that gives a reason, and to that line alone", () => {
    expect(findings("// tidy-allow absence: the library tells the two apart")).toBe(1);
  });

  it("is granted to a whole file that gives a reason", () => {
    expect(findings("// tidy-allow-file absence: the library tells the two apart")).toBe(0);
  });

  it.each([
    "// tidy-allow absence",
    "// tidy-allow absence: yes",
    "// tidy-allow-file absence:",
    "// tidy-allow layering: it is well known",
  ])("is refused to %s", (comment) => {
    expect(findings(comment)).toBe(2);
  });
});

describe("the lexer", () => {
  it("keeps length and lines, so that a finding names the right place", () => {
    const source = "#!/usr/bin/env node\nconst a = `x${b(`y`)}`; // c\n/* d\n */ e(/[/\"]/g, 'f');\n";
    const { code } = lex(source);
    expect(code).toHaveLength(source.length);
    expect(code.split("\n")).toHaveLength(source.split("\n").length);
  });

  it.each([
    ["a // b", "a", []],
    ['f("// no", 1)', 'f("     ", 1)', ["// no"]],
    ["f('a\\'b')", "f('    ')", ["a\\'b"]],
    ["`a${b}c`", "`   b  `", ["a${b}c"]],
    ["x = /[/'\"]/g", "x = /     /g", []],
    ["a / b / c", "a / b / c", []],
    ["return /'/", "return / /", []],
  ])("reads %s", (source, code, strings) => {
    const lexed = lex(source);
    expect(lexed.code.trimEnd()).toBe(code);
    expect(lexed.strings.map(({ text }) => text)).toEqual(strings);
  });
});
