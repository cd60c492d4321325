/** What generators and readers of the documents need: names, examples, and the form that they read. */
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { useVenue } from "../testing/use-venue.ts";

const venue = useVenue();
const textOf = async (name: string): Promise<string> =>
  (await fetch(new URL(`/__gatewright/${name}`, venue().baseUrl))).text();

/** Every record and enumeration below this node, with where it stands and its title. */
function schemasIn(node: unknown, place = ""): [string, unknown][] {
  if (typeof node !== "object" || node === null) return [];
  const { properties, enum: values, title, $id } = node as Readonly<Record<string, unknown>>;
  const isOne = (typeof properties === "object" && !place.endsWith("/properties")) || Array.isArray(values);
  return [
    ...(isOne ? [[place, title ?? $id] as [string, unknown]] : []),
    ...Object.entries(node)
      .filter(([key]) => !/^(example|examples|default)$/.test(key))
      .flatMap(([key, inner]) => schemasIn(inner, `${place}/${key}`)),
  ];
}

describe.each([
  ["openapi.json", "/components/schemas"],
  ["asyncapi.json", ""],
])("%s", (name, below) => {
  test("names every record and enumeration, and no two alike", async () => {
    const all = schemasIn(JSON.parse(await textOf(name))).filter(([place]) => place.startsWith(below));
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter(([, title]) => typeof title !== "string")).toEqual([]);
    // Trades, fills and subscriptions are one record in several messages.
    const titles = all
      .map(([, title]) => String(title))
      .filter((title) => !/^(?:Trade|Fill|Subscription)/.test(title));
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  });
});

test("openapi.yaml is openapi.json in YAML, in both variants", async () => {
  for (const search of ["", "?signed=false"]) {
    const reply = await fetch(new URL(`/__gatewright/openapi.yaml${search}`, venue().baseUrl));
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/yaml"]);
    expect(parse(await reply.text())).toEqual(JSON.parse(await textOf(`openapi.json${search}`)));
  }
});

test("the samples of the page have a value for every scheme, and none of them is a secret", async () => {
  const { components } = JSON.parse(await textOf("openapi.json")) as {
    components: { securitySchemes: Record<string, { description: string }> };
  };
  const start = await textOf("docs/start.js");
  for (const name of Object.keys(components.securitySchemes))
    expect(start).toMatch(new RegExp(`"${name}":\\{"value":"[^"]+"\\}`));
  expect(start).not.toMatch(/secret_token|sandbox-only-secret/i);
  expect(components.securitySchemes["ApiSignature"]?.description).toMatch(
    /gatewright sign.*gatewright proxy/,
  );
});

test("the document of the stream has tags, a contact, and words about every operation", async () => {
  const { info, operations } = JSON.parse(await textOf("asyncapi.json")) as {
    info: { tags: object[]; contact: object };
    operations: Record<string, { description?: string }>;
  };
  expect([info.tags.length > 0, info.contact]).toEqual([true, expect.anything()]);
  expect(Object.entries(operations).filter(([, { description = "" }]) => description === "")).toEqual([]);
});
