/** The JSON Schema of scenarios for editors: the language with its words, from the tables that lint reads. */
import { exchangeMacroNames, exchangeMacroProblem } from "../check/exchange-macros.ts";
import { expectationKeys } from "../check/expectation.ts";
import { generatorNames, productKinds } from "../check/generator-rules.ts";
import { macroWords } from "../check/macro-words.ts";
import { bareMatchers, matchers } from "../check/match.ts";
import { valueMacroNames } from "../check/value-macros.ts";
import { orderFields } from "../contract/fields.ts";
import { formatNames } from "../contract/formats.ts";
import { operationNames } from "../contract/operations.ts";
import { scenarioSchema, type Words } from "../model/language.ts";
import { pointerForm } from "./lint-call.ts";

type Schema = Readonly<Record<string, unknown>>;

const any = (name: Words): Schema => ({ $ref: `#/definitions/words/${name}` });
const template = "\\$\\{";
const open: Schema = { pattern: template };
/** One of these words, or a text with a reference. */
const words = (list: readonly string[], note: Schema = {}): Schema => ({
  ...note,
  type: "string",
  anyOf: [{ enum: list }, open],
});
/** Keys and texts that are no word of the language. */
const notOurs = "^(?!\\$)";
const oneOf = (names: readonly string[]): string => `^\\$(${names.map((name) => name.slice(1)).join("|")})$`;
const bare = oneOf(bareMatchers);

/** One of these macros, each with its meaning. */
const macros = (names: readonly string[]): Schema => ({
  type: "string",
  anyOf: [
    ...names.map((name) => {
      const form =
        exchangeMacroNames.includes(name) && exchangeMacroProblem(name) !== undefined
          ? { pattern: `^${name}\\([\\w.]+\\)$` }
          : { const: name };
      return { ...form, description: macroWords(name) };
    }),
    open,
  ],
});

/** Arguments of matchers and generators that are words themselves. */
const wordArguments: Readonly<Record<string, Schema>> = {
  $product: words(productKinds),
  $format: words(formatNames),
};

/** The fields of an order that have words: one of them, a reference or a matcher. */
const orderWords: Schema = Object.fromEntries(
  orderFields.flatMap(({ name, kind }) => {
    if (typeof kind === "string") return [];
    const others = [{ type: "string", pattern: `${template}|${bare}` }, { type: ["object", "null"] }];
    return [[name, { anyOf: [{ enum: kind.oneOf }, ...others] }]];
  }),
);

const otherWords = {
  status: {
    description: "A number, a class such as 4xx, or a matcher.",
    anyOf: [
      { type: "integer", minimum: 100, maximum: 599 },
      { type: "string", pattern: `^[1-5]xx$|${template}|${bare}` },
      { allOf: [{ type: "object" }, any("matcher")] },
    ],
  },
  order: {
    description: "The order in the answer.",
    allOf: [any("matcher"), { properties: orderWords }],
  },
  macro: macros(exchangeMacroNames),
  operation: words(operationNames, { description: "An operation by the kit's name; the profile maps it." }),
  captured: {
    type: ["string", "object"],
    pattern: `${pointerForm.source}|${template}`,
    properties: {
      header: { type: "string" },
      status: { const: true },
      request: { type: "string" },
      wallet: any("value"),
      next: { const: true },
    },
    additionalProperties: false,
  },
} as const satisfies Partial<Record<Words, Schema>>;

/** What a matcher or a generator is for. */
type Describe = (name: string) => string;

const keys = (names: readonly string[], describe: Describe, argumentOf: (name: string) => Schema): Schema =>
  Object.fromEntries(
    names.map((name) => [
      name,
      { description: describe(name), ...(wordArguments[name] ?? argumentOf(name)) },
    ]),
  );

const matcherNames = Object.keys(matchers);

function valueWords(describe: Describe): Schema {
  // Values of variables and rows may be matchers and expectations.
  const elsewhere = new Set([
    ...matcherNames,
    ...expectationKeys.filter((key) => key.startsWith("$")),
    "$switch",
  ]);
  const foreign = [...elsewhere].filter((name) => !generatorNames.includes(name));
  return {
    description: "A value with ${references} and generators.",
    properties: keys(generatorNames, describe, () => any("value")),
    patternProperties: { [notOurs]: any("value"), [oneOf(foreign)]: {} },
    additionalProperties: false,
    items: any("value"),
  };
}

function matcherWords(describe: Describe): Schema {
  const argumentOf = (name: string): Schema => {
    if (name === "$macro") return macros(valueMacroNames);
    // The inner matcher of $cite is in its companion.
    return matchers[name]?.inner === undefined || name === "$cite" ? {} : any("matcher");
  };
  return {
    description: "A value that is equal, or a matcher.",
    pattern: `${notOurs}|${template}|${bare}`,
    properties: keys([...matcherNames, "$calc"], describe, argumentOf),
    patternProperties: { [notOurs]: any("matcher") },
    additionalProperties: false,
    items: any("matcher"),
  };
}

export function editorSchema(describe: Describe): Schema {
  const { definitions, ...schema } = scenarioSchema;
  const all: Readonly<Record<Words, Schema>> = {
    value: valueWords(describe),
    matcher: matcherWords(describe),
    ...otherWords,
  };
  return { ...schema, definitions: { ...definitions, words: all } };
}
