import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { packageRoot } from "../package-root.ts";
import { scenarioSchema as published } from "../schema/load-schema.ts";
import { editorSchema } from "./editor-schema.ts";

const root = packageRoot();
const page = readFileSync(join(root, "docs/scenarios.md"), "utf8");

/** The rows of a table of the page, as cells. */
function table(head: string): string[][] {
  const [, rest = ""] = page.split(`| ${head} |\n`);
  const [rows = ""] = rest.split("\n\n");
  return rows.split("\n").map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
}

const rows = [...table("Matcher | Matches"), ...table("Generator | Gives")].map(
  ([, forms = "", meaning = ""]) => ({
    names: Array.from(forms.matchAll(/`(\$\w+)/g), ([, name]) => name),
    text: `${forms}: ${meaning}`.replaceAll("`", "").replaceAll("\\|", "|"),
  }),
);

/** What the page says of a matcher or a generator. */
function described(name: string): string {
  const row = rows.find(({ names }) => names.includes(name));
  if (row === undefined) throw new Error(`docs/scenarios.md has no row for ${name}`);
  return row.text;
}

it("is the published one: npm test -- conformance/lint/editor-schema -u writes the file again", async () => {
  const text = JSON.stringify(editorSchema(described), null, 2);
  // Lists and mappings that fit a line are on one.
  const short = text.replace(
    /([{[])\n\s*((?:"(?:[^"\\]|\\.)*"|[^"{}[\]])*?)\n\s*([}\]])/g,
    (whole, open: string, inside: string, close: string) => {
      const line = inside.replace(/\n\s*/g, " ");
      return line.length > 90 ? whole : `${open} ${line} ${close}`;
    },
  );
  expect(JSON.parse(short)).toEqual(JSON.parse(text));
  await expect(`${short}\n`).toMatchFileSnapshot("../schema/scenario.schema.json");
});

it("has the top-level keys that docs/scenarios.md lists", () => {
  const listed = table("Key of a scenario | Meaning").flatMap(([, keys = ""]) =>
    Array.from(keys.matchAll(/`(\w+)`/g), ([, key]) => key),
  );
  expect(new Set(listed)).toEqual(new Set(Object.keys(published().properties)));
});

const ajv = new Ajv({ strict: false, allErrors: true });
const scenario = ajv.compile(published());
const fragment = ajv.compile({ $ref: `${published().$id}#/definitions/fragment` });

function mistakes(text: string): string[] {
  const file: unknown = parse(text);
  const validate = typeof file === "object" && file !== null && "fragment" in file ? fragment : scenario;
  return validate(file)
    ? []
    : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message ?? ""}`);
}

/** The files of these folders that end so, with their text. */
function texts(folders: readonly string[], end: string): (readonly [string, string])[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))),
    )
    .filter((name) => name.endsWith(end))
    .map((name) => [name, readFileSync(join(root, name), "utf8")]);
}

const files = texts(["scenarios", "conformance/testing/scenarios"], ".yaml");
/** Examples may be the steps alone. */
const head = "kit: 1\nid: a\ntitle: A\nspec: [PLC-01]\n";
const examples = texts(["docs"], ".md").flatMap(([name, text]) =>
  Array.from(text.matchAll(/^```yaml\n(.*?)^```/gms), ([, block = ""]) => block)
    .filter((block) => /^steps:/m.test(block))
    .map((block): [string, string] => [name, /^kit:/m.test(block) ? block : head + block]),
);

describe("the schema for editors", () => {
  it("accepts every scenario of the suite and of the pages", () => {
    expect(files.length).toBeGreaterThan(200);
    expect(examples.map(([name]) => name)).toContain(join("docs", "kit-streams.md"));
    const refused = [...files, ...examples].map(([name, text]) => [name, mistakes(text)] as const);
    expect(refused.filter(([, found]) => found.length > 0)).toEqual([]);
  });

  const step = (text: string) =>
    `{ kit: 1, id: a, title: A, spec: [PLC-01], vars: { a: 1 }, steps: [${text}] }`;
  const call = (more: string) => step(`{ call: { op: products }, ${more} }`);
  const order = (more: string) => step(`{ call: { op: placeOrder, body: ${more} } }`);

  it.each([
    ["an operation", step("{ call: { op: placeOrdr } }"), "/steps/0/call/op"],
    ["an operation of a poll", step("{ poll: { call: { op: list }, until: { status: 200 } } }"), "/call/op"],
    ["a matcher", call("expect: { body: { data: { $ech: { id: $any } } } }"), "/steps/0/expect/body/data"],
    ["an inner matcher", call("should: { body: { $each: { id: { $equals: 1 } } } }"), "/body/$each/id"],
    ["a matcher of a header", call("expect: { headers: { etag: { $match: a } } }"), "/headers/etag"],
    ["a bare matcher", call("expect: { body: $anny }"), "/steps/0/expect/body"],
    ["a matcher in $cite", call("expect: { body: { $cite: PLC-01, is: { $int: 1 } } }"), "/body/is"],
    ["a format", call("expect: { body: { id: { $format: uid } } }"), "/body/id/$format"],
    ["a macro", call("expect: { $macro: plced }"), "/steps/0/expect/$macro"],
    ["a macro without its argument", call("expect: { $macro: replayed }"), "/steps/0/expect/$macro"],
    ["a macro of a value", call("expect: { body: { $macro: ordrShape } }"), "/body/$macro"],
    ["a product", order("{ product: { $product: liqid } }"), "/body/product/$product"],
    ["a product in a merge", order("{ $merge: [{}, { product: { $product: x } }] }"), "/product/$product"],
    ["a generator", order("{ client_order_id: { $uid: a } }"), "/steps/0/call/body/client_order_id"],
    ["a capture without a pointer", call("capture: { id: data.order.id }"), "/steps/0/capture/id"],
    ["an unknown capture", call("capture: { id: { heder: etag } }"), "/steps/0/capture/id"],
    ["a status", call("expect: { status: 4x }"), "/steps/0/expect/status"],
    ["a status of an order", call("expect: { order: { status: CANCELED } }"), "/expect/order/status"],
  ])("refuses a misspelled word: %s", (_, text, where) => {
    expect(mistakes(text).join("\n")).toContain(`${where} `);
  });

  it("leaves references alone", () => {
    const words = "op: '${op}', body: { product: { $product: '${kind}' } }";
    const judged = "expect: { status: '${status}', order: { side: '${side}' }, $macro: 'replayed(a)' }";
    expect(mistakes(step(`{ call: { ${words} }, ${judged}, capture: { a: '\${b}' } }`))).toEqual([]);
  });
});
