/**
 * Parameter schemas of the documentation against the reader, for every parameter of every route. A client serializes a
 * value as OpenAPI says, the reader reads the text; both must agree on what is allowed. One documented difference: a list
 * may also be comma-separated.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tradingRoutes } from "../http/routes/all.ts";
import { inDocument } from "../schema/document.ts";
import { isOptional, type Schema } from "../schema/fields.ts";
import { readQuery, snake } from "./query.ts";
import type { QueryField } from "./query-fields.ts";
import { compile } from "./testing/ajv.ts";
import { formatLines } from "./testing/format-lines.ts";

const parameters = tradingRoutes.flatMap(({ path, query = {} }) =>
  Object.entries(query).map(([name, field]): [string, string, QueryField] => [path, name, field]),
);

type Kind = "list" | "integer" | "boolean" | "time" | "text" | "one";

function kindOf({ type, format, maxLength }: Schema): Kind {
  if (type === "array") return "list";
  if (type === "integer" || type === "boolean") return type;
  return format === "date-time" ? "time" : maxLength === undefined ? "one" : "text";
}

/** The text of a parameter as the JSON value that its schema describes; a text that is no such value stays a text. */
function deserialized(text: string, field: QueryField): unknown {
  const kind = kindOf(field);
  if (kind === "integer" && /^(0|-?[1-9][0-9]*)$/.test(text)) return Number(text);
  if (kind === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

const texts = fc.oneof(
  fc.constantFrom(
    "BUY",
    "SELL",
    "ASC",
    "DESC",
    "ONE_HOUR",
    "PENDING",
    "OPEN",
    "FILLED",
    "CONFIRMED",
    "LIMIT",
    "MARKET",
    "BTC",
    "BTC-USD",
    "btc-usd",
    "bitcoin-mainnet",
    "3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11",
  ),
  fc.constantFrom(
    "true",
    "false",
    "TRUE",
    "1",
    "0",
    "-1",
    "350",
    "351",
    "500",
    "501",
    "1000",
    "1001",
    "007",
    "1e2",
    "",
  ),
  fc.integer({ min: -5, max: 1100 }).map(String),
  fc
    .date({ noInvalidDate: true, min: new Date("0000-01-01"), max: new Date("9999-12-31") })
    .map((date) => date.toISOString()),
  fc.constantFrom(...formatLines("date-time-valid"), ...formatLines("date-time-invalid")),
  fc.string({ unit: "binary", maxLength: 20 }).filter((text) => !/\p{Surrogate}/u.test(text)),
  fc
    .integer({ min: 510, max: 514 })
    .chain((length) => fc.constantFrom("x", "😀").map((char) => char.repeat(length))),
);

describe.each(parameters)("%s?%s", (_path, name, field) => {
  const accepts = compile(inDocument(field.items ?? field));
  const required = !isOptional(field);

  it("is read exactly when its schema allows it", () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, alias) => {
        fc.pre(kindOf(field) !== "list" || !text.includes(","));
        const search = `${alias ? snake(name) : name}=${encodeURIComponent(text)}`;
        expect(readQuery({ [name]: field }, search).ok).toBe(accepts(deserialized(text, field)));
      }),
    );
  });

  it(`is ${required ? "required" : "optional"}`, () => {
    expect(readQuery({ [name]: field }, "").ok).toBe(!required);
  });

  it("can be given as often as its kind allows", () => {
    const shown = field.items ?? field;
    const value = String(shown.enum?.[0] ?? shown.examples?.[0] ?? examples[kindOf(field)]);
    const once = `${name}=${value}`;
    expect(readQuery({ [name]: field }, once).ok).toBe(true);
    expect(readQuery({ [name]: field }, `${once}&${once}`).ok).toBe(kindOf(field) === "list");
  });
});

/** Where the schema itself shows none. */
const examples: Readonly<Partial<Record<Kind, string>>> = {
  text: "x",
  list: "3f0c2a52-7a3e-4c58-9a6e-0d5d3c1b7e11",
  integer: "1",
  boolean: "true",
};
