import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { profileFrom } from "../load-profile.ts";
import { renderProblem, UsageError } from "../model/position.ts";
import { YamlReader } from "../parse/yaml-reader.ts";
import { profileSchema } from "../schema/load-schema.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
}
interface Leaf {
  readonly path: readonly string[];
  readonly schema: Schema;
}

const root = profileSchema() as unknown as Schema;
const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (root.definitions?.[schema.$ref.split("/").at(-1) ?? ""] ?? {});

/** Every key that a profile may have; if names are open, one existing name represents all. */
function leaves(schema: Schema, path: readonly string[]): Leaf[] {
  const { properties = {}, additionalProperties: open, items } = schema;
  const inner = Object.entries(properties).flatMap(([key, one]) => leaves(resolved(one), [...path, key]));
  const name = { products: "BTC-USD", credentials: "trader", capabilities: "ws", operations: "readOrder" };
  const key =
    (name as Record<string, string>)[path.at(-1) ?? ""] ??
    (path.at(-1) === "assumptions" ? "AS-04" : "x-own");
  const others = typeof open === "object" ? leaves(resolved(open), [...path, key]) : [];
  const listed = items === undefined ? [] : leaves(resolved(items), [...path, "0"]);
  return [...(path.length === 0 ? [] : [{ path, schema }]), ...inner, ...others, ...listed];
}

const keys = leaves(root, []);

/** Keys that accept any text: names, addresses that are checked elsewhere, spellings of the target. */
const freeText =
  "name baseUrl tls/ca tls/cert tls/key expectations credentials/trader/keyId credentials/trader/client credentials/trader/claims/0 operations/readOrder/claim operations/readOrder/claim/0 operations/readOrder/query/x-own control/url ws/url ws/message/sequence facts/trigger/external facts/trigger/unknown facts/trigger/internal facts/trigger/orphan".split(
    " ",
  );
/** Templates and matchers, which have the shape of the target. */
const anything = ["ws/subscribe", "ws/unsubscribe", "facts/depositRequest"];

/** A value of a type that is not allowed here, or outside the allowed values. */
function wrongFor({ type, enum: values, const: only }: Schema): string {
  const types = [type ?? (typeof (values?.[0] ?? only) as string)].flat();
  if (values !== undefined || only !== undefined) return "certainly-not";
  if (!types.includes("boolean") && !types.includes("object"))
    return types.includes("array") ? "true" : "{ a: b }";
  return types.includes("string") ? "7" : "certainly-not";
}

/** A profile with the value at the path, in the flow style of YAML, and with everything that a profile needs. */
function profileWith(path: readonly string[], value: string): string {
  const flow = path
    .slice(1)
    .reduceRight((inner, key) => (/^\d+$/.test(key) ? `[${inner}]` : `{ '${key}': ${inner} }`), value);
  const [top = ""] = path;
  const lines: Record<string, string> = {
    kit: "1",
    name: "t",
    baseUrl: "http://127.0.0.1:9/api/v1/trading",
    credentials: "{ trader: { keyId: k, secret: '${env:S}' } }",
  };
  lines[top] = flow;
  return Object.entries(lines)
    .map(([key, text]) => `${key}: ${text}\n`)
    .join("");
}

const folder = await mkdtemp(join(tmpdir(), "gatewright-profile-"));
const reader = new YamlReader();
afterAll(() => reader[Symbol.dispose]());

async function problemsIn(text: string): Promise<string> {
  const file = join(folder, "profile.yaml");
  await writeFile(file, text);
  const error: unknown = await profileFrom(file, reader)
    .then((profileOf) => profileOf({ S: "a secret" }))
    .catch((reason: unknown) => reason);
  if (!(error instanceof UsageError)) return "";
  expect(error.problems.length).toBeGreaterThan(0);
  return error.problems.map(renderProblem).join("\n");
}

describe("a profile", () => {
  it("is accepted as these tests write it", async () => {
    expect(await problemsIn(profileWith(["name"], "t"))).toBe("");
  });

  it.each(keys.map(({ path, schema }) => [path.join("/"), path, schema] as const))(
    "gives %s a type, and refuses a value of another",
    async (_name, path, schema) => {
      const typed = schema.type !== undefined || schema.enum !== undefined || schema.const !== undefined;
      if (!typed) {
        expect(path.slice(0, 2)).toEqual(["ws", "events"]);
        return;
      }
      const found = await problemsIn(profileWith(path, wrongFor(schema)));
      expect(found).toMatch(/profile\.yaml:\d+:\d+: expected .*, found .*\n {2}\d+ \| .*\n {4}\| +\^/);
    },
  );

  it("describes the form of every text", () => {
    const texts = keys.filter(({ schema }) => [schema.type ?? ""].flat().includes("string"));
    const loose = texts.filter(
      ({ schema: { pattern, enum: values } }) => pattern === undefined && values === undefined,
    );
    const names = loose.map(({ path }) => path.join("/")).filter((name) => !name.startsWith("ws/channels/"));
    expect(names.filter((name) => !freeText.includes(name))).toEqual([]);
  });

  it("leaves open the values that belong to the target, and no others", () => {
    const open = keys.filter(
      ({ schema: { type, properties, additionalProperties } }) =>
        type === "object" && properties === undefined && additionalProperties === undefined,
    );
    expect(open.map(({ path }) => path.join("/")).toSorted()).toEqual(anything.toSorted());
  });
});

describe("a profile with a secret in it", () => {
  it.each([
    ["credentials: { trader: { keyId: k, secret: hunter2-hunter2 } }", "credentials"],
    ["credentials: { trader: { keyId: k, secret: '${env:S:-hunter2-hunter2}' } }", "credentials"],
    [
      "credentials: { trader: { keyId: k, secret: '${env:S}', claims: ['read:order'] }, reader: { keyId: k, secret: hunter2-hunter2, claims: ['read:order'] } }",
      "credentials",
    ],
    ["control: { url: 'http://127.0.0.1:9', token: hunter2-hunter2 }", "control"],
  ])("is refused without repeating it: %s", async (line, key) => {
    const text = profileWith(["name"], "t")
      .split("\n")
      .filter((one) => !one.startsWith(`${key}:`))
      .join("\n");
    const found = await problemsIn(`${text}${line}\n`);
    expect(found).toContain("the name of an environment variable such as '${env:GW_SECRET}'");
    expect(found).not.toContain("hunter2");
  });
});

describe("the path of an operation", () => {
  it.each([
    [
      "cancelOrder",
      "'/order/{orderId}'",
      /fills \{id\} into the path of cancelOrder, and not \{orderId\}[^]*write '\/order\/\{id\}'/,
    ],
    [
      "orderBook",
      "'/book/{pair}'",
      /fills \{product\} into the path of orderBook[^]*write '\/book\/\{product\}'/,
    ],
    ["wallets", "'/wallet/{client}'", /fills nothing into the path of wallets[^]*write the path out/],
    [
      "readOrder",
      "'/api/v1/trading/order/{id}'",
      /repeats the end of baseUrl: paths are below it[^]*write '\/order\/\{id\}'/,
    ],
  ])("has the kit's names and is below the address: %s %s", async (name, path, said) => {
    const profile = profileWith(["operations", name], `{ method: GET, path: ${path} }`);
    expect(await problemsIn(profile)).toMatch(said);
  });

  it("is accepted with those names", async () => {
    const profile = profileWith(["operations", "readOrder"], "{ method: GET, path: '/order/{id}' }");
    expect(await problemsIn(profile)).toBe("");
  });
});

describe("keys that speak about the same thing", () => {
  it("agree", async () => {
    const products = profileWith(["safety", "products", "BTC-USD"], "{ buyFar: '1' }");
    expect(await problemsIn(`${products}facts: { disabledProduct: BTC-USD }\n`)).toMatch(
      /BTC-USD is disabled here and traded in safety\.products/,
    );
    expect(await problemsIn(`${products}facts: { limits: { product: BTC-USDT } }\n`)).toMatch(
      /BTC-USDT is not among safety\.products[\s\S]*did you mean "BTC-USD"/,
    );
    expect(await problemsIn(`${products}ws: { events: { order: { when: { $tpye: object } } } }\n`)).toMatch(
      /unknown matcher \$tpye[\s\S]*did you mean "\$type"/,
    );
  });
});

describe("a profile with many mistakes", () => {
  it("hears of all of them in one round, in the order of the file", async () => {
    const found = await problemsIn(
      [
        "kit: 1",
        "name: t",
        "baseUrl: ftp://127.0.0.1/api/v1/trading",
        "safety: { products: { BTC-USD: { buyFar: 1000.10 } }, alow: read }",
        "credentials: { trader: { keyId: '${env:MISSING}', secret: '${env:S}' }, raeder: { keyId: k, secret: '${env:S}' } }",
        "facts: { severalKeys: maybe }",
        "tls: { insecure: no-idea }",
        "",
      ].join("\n"),
    );
    const said = [
      ":3:10: the base address starts with http:// or https://",
      ":4:42: the number 1000.10 would lose its spelling",
      ':4:55: unknown key "alow"',
      ":5:33: the environment variable MISSING is not set",
      ':5:73: there is no role "raeder"',
      ':6:23: expected boolean, found "maybe"',
      ":7:18: expected boolean, found",
    ];
    const places = said.map((line) => found.indexOf(line));
    expect(places, found).toEqual(places.toSorted((a, b) => a - b));
    expect(places, found).not.toContain(-1);
  });

  it("is told once to put a path with braces in quotes", async () => {
    const mapping =
      "operations:\n  cancelOrder: { method: DELETE, path: /order/{id} }\n  readOrder: { method: GET, path: '/order/{id}' }\n";
    const found = await problemsIn(`${profileWith(["name"], "t")}${mapping}`);
    expect(found).toMatch(
      /^\S*profile\.yaml:6:40: inside \{ \} a brace begins a mapping, .*\n.*\n.*\^\n {2}write it in quotes: '\/order\/\{id\}'$/,
    );
  });
});
