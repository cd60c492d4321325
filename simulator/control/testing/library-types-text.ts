/** The text of library-types.ts, from the declarations of the controls. */
import type { Schema } from "../../schema/fields.ts";
import { schemaComponents } from "../../wire/components.ts";
import { allControls } from "../all-controls.ts";
import type { ControlRoute } from "../control-route.ts";
import { nameOf, namesOf } from "../library.ts";
import { membersOf, verbsOf } from "../verb.ts";
import type { ControlVerb } from "../verb-types.ts";

export function libraryTypesText(): string {
  const used = new Set<string>();
  const nouns = new Map<string, Action[]>();
  for (const route of allControls)
    for (const verb of verbsOf(route)) {
      const { noun, action } = namesOf(verb);
      nouns.set(noun, [...(nouns.get(noun) ?? []), { route, verb, action }]);
    }
  const members = [...nouns].map(
    ([noun, actions]) =>
      `  readonly ${noun}: {\n${actions.map((one) => actionText(one, used)).join("\n")}\n  };`,
  );
  const library = `/** The controls of a sandbox: by noun, then by verb. */\nexport interface ControlLibrary {\n${members.join("\n")}\n}\n`;
  return `/**\n * The types of the controls, made from their declarations by testing/library-types-text.ts. Do not edit them: run\n * \`npx vitest run simulator/control/library.test.ts -u\`.\n */\n\n${library}${answersText(used)}${componentsText(used)}`;
}

interface Action {
  readonly route: ControlRoute;
  readonly verb: ControlVerb;
  readonly action: string;
}

function actionText({ route, verb, action }: Action, used: Set<string>): string {
  const values = valuesText(route, verb, used);
  const { $ref } = route.answer.schema;
  const answer = $ref === undefined ? answerName(route) : typeText(route.answer.schema, used, "");
  return `    /** ${verb.summary} */\n    readonly ${action}: (${values}) => Promise<${answer}>;`;
}

const answerName = ({ operationId }: ControlRoute): string =>
  `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Answer`;

/** Of each control that has a verb, unless it is a component. */
const answersText = (used: Set<string>): string =>
  allControls
    .filter(({ verbs, answer }) => verbs !== undefined && answer.schema.$ref === undefined)
    .map((route) => interfaceText(answerName(route), route.answer.schema, used))
    .join("");

function interfaceText(name: string, schema: Schema, used: Set<string>): string {
  const isRecord = schema.properties !== undefined;
  const body = isRecord
    ? `interface ${name} {\n${propertiesText(schema, used, "  ").join("\n")}\n}`
    : `type ${name} = ${typeText(schema, used, "")};`;
  return `\n/** ${schema.description ?? name} */\nexport ${body}\n`;
}

function valuesText(route: ControlRoute, verb: ControlVerb, used: Set<string>): string {
  const shape = membersOf(route);
  const single = [...verb.args, ...verb.flags].map(({ name, required }) => {
    const schema = name.split(".").reduce<Schema>((at, step) => at.properties?.[step] ?? {}, shape);
    const isParam = route.path.includes(`{${name}}`);
    return memberText(nameOf(name, verb), isParam ? { type: "string" } : schema, {
      isRequired: required,
      used,
      pad: "      ",
      isValue: true,
    });
  });
  const whole = verb.file ? propertiesText(shape, used, "      ") : [];
  const members = [...single, ...whole];
  if (members.length === 0) return "";
  const isOptional = members.every((member) => /^\s*readonly \w+\?:/.test(member));
  return `values${isOptional ? "?" : ""}: {\n${members.join("\n")}\n    }`;
}

interface Place {
  readonly isRequired: boolean;
  readonly used: Set<string>;
  readonly pad: string;
  readonly isValue?: true;
}

/** A member that may be left out need not be null as well; nor is a value that a verb asks for. */
function memberText(name: string, schema: Schema, { isRequired, used, pad, isValue }: Place): string {
  const text = typeText(schema, used, pad);
  const whole = isRequired && isValue !== true;
  return `${pad}readonly ${name}${isRequired ? "" : "?"}: ${whole ? text : text.replace(/ \| null$/, "")};`;
}

const propertiesText = (
  { properties = {}, required = [] }: Schema,
  used: Set<string>,
  pad: string,
): string[] =>
  Object.entries(properties).map(([name, member]) =>
    memberText(name, member, { isRequired: required.includes(name), used, pad }),
  );

function typeText(schema: Schema, used: Set<string>, pad: string): string {
  const { $ref, oneOf, enum: choices, const: only, type, items, properties, additionalProperties } = schema;
  if ($ref !== undefined) {
    const name = $ref.split("/").at(-1) ?? "";
    used.add(name);
    return name;
  }
  if (oneOf !== undefined) return oneOf.map((branch) => typeText(branch, used, pad)).join(" | ");
  if (only !== undefined) return JSON.stringify(only);
  const types = [type ?? []].flat();
  if (choices !== undefined) {
    const values = choices.filter((choice) => choice !== null).map((choice) => JSON.stringify(choice));
    return [...values, ...(types.includes("null") ? ["null"] : [])].join(" | ");
  }
  const inner = `${pad}  `;
  const texts = types.map((one) => {
    if (one === "array") return `readonly ${wrapped(typeText(items ?? {}, used, pad))}[]`;
    if (one === "object" && properties !== undefined)
      return `{\n${propertiesText(schema, used, inner).join("\n")}\n${pad}}`;
    if (one === "object")
      return `Readonly<Record<string, ${typeof additionalProperties === "object" ? typeText(additionalProperties, used, pad) : "unknown"}>>`;
    return one === "integer" ? "number" : one;
  });
  return texts.length === 0 ? "unknown" : texts.join(" | ");
}

const wrapped = (text: string): string => (/ [|] /.test(text) && !text.startsWith("{") ? `(${text})` : text);

/** A component may name others, which are then used as well. */
function componentsText(used: Set<string>): string {
  const texts: string[] = [];
  for (const name of used) texts.push(interfaceText(name, schemaComponents[name] ?? {}, used));
  return texts.join("");
}
