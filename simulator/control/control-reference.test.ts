import { expect, it } from "vitest";
import type { Schema } from "../schema/fields.ts";
import { SettingsSchema } from "../world/schema/settings.ts";
import { allControls } from "./all-controls.ts";
import type { ControlRoute } from "./control-route.ts";
import { tagOf, tags } from "./openapi.ts";
import { membersOf, verbsOf } from "./verb.ts";

/** `vitest run simulator/control/control-reference.test.ts -u` writes the page. */
it("docs/control-reference.md lists the controls", async () => {
  await expect(page()).toMatchFileSnapshot("../../docs/control-reference.md");
});

const page = (): string => `# Reference of the controls

Every call of the control surface, below \`/__gatewright\`, and how \`gatewright ctl\` spells it. [Controls of the
sandbox](control.md) says how to use them. Where there is a \`PUT\`, \`POST\` does the same.

${Object.entries(tags)
  .map(([tag, about]) => sectionOf(tag, about))
  .join("\n")}`;

function sectionOf(tag: string, about: string): string {
  const controls = allControls.filter((route) => tagOf(route) === tag && !isByPut(route));
  return `## ${tag}\n\n${about}\n\n${controls.map(controlOf).join("\n")}`;
}

const isByPut = ({ method, path }: ControlRoute): boolean =>
  method === "POST" && allControls.some((other) => other.method === "PUT" && other.path === path);

function controlOf(route: ControlRoute): string {
  const { method, path, summary, body } = route;
  const verbs = verbsOf(route).map(
    (verb) => `- \`ctl ${verb.usage}\`${verb.summary === summary ? "" : `: ${verb.summary}`}\n`,
  );
  const rows = rowsOf(membersOf(route), "");
  const members = body === undefined ? "Query" : "Body";
  return [
    `### \`${method} ${path}\`\n\n${summary}\n`,
    verbs.join(""),
    body === undefined ? "" : `\`${JSON.stringify(body.example)}\`\n`,
    rows.length === 0 ? "" : `| ${members} | Value | Is |\n|---|---|---|\n${rows.join("")}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** Rows of the members of a body or a query; docs/world.md has those of the settings. */
function rowsOf(schema: Schema, at: string): string[] {
  if (schema === SettingsSchema) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const isOptional = schema.required?.includes(name) !== true;
    return [
      `| \`${at}${name}\` | ${isOptional ? "optional; " : ""}${valueOf(member)} | ${member.description} |\n`,
      ...rowsOf(member.items ?? {}, `${at}${name}[].`),
      ...rowsOf(member, `${at}${name}.`),
    ];
  });
}

/** The values of a member, in a few words. */
function valueOf({
  type,
  unit,
  enum: choices,
  patternErrorMessage,
  minimum,
  maximum,
  ...more
}: Schema): string {
  const counted = unit === undefined || patternErrorMessage !== undefined ? "" : ` ${unit}`;
  if (patternErrorMessage !== undefined) return patternErrorMessage.replace("must be ", "");
  if (choices !== undefined) return choices.map((choice) => `\`${choice}\``).join(", ");
  if ([type].flat().includes("boolean")) return "`true` or `false`";
  if (minimum !== undefined) return `a whole number from ${minimum} to ${maximum}${counted}`;
  if (more.maxLength !== undefined) return `a text of ${more.minLength} to ${more.maxLength} characters`;
  if (more.maxItems !== undefined) return `a list of at most ${more.maxItems}`;
  if (more.properties !== undefined) return "the members below";
  if (more.items !== undefined) return "a list";
  if (typeof more.additionalProperties === "object") return "values by name";
  return more.discriminator === undefined ? "a section" : "a [fault](control.md#fault-rules)";
}
