/** The world of some points: as a value to make it, and as a file for a person. */
import type { Point, Rule } from "./points.ts";

export const worldOf = (points: readonly Point[]): object => {
  const freedoms = points.flatMap(({ freedom }) => (freedom === undefined ? [] : [freedom]));
  const faults = points.flatMap(({ fault }) => fault ?? []);
  return {
    extends: "demo",
    ...(freedoms.length === 0 ? {} : { freedoms: Object.fromEntries(freedoms) }),
    ...(faults.length === 0 ? {} : { faults }),
  };
};

/** YAML, each line with the sentence of its point above it. */
export function worldText(points: readonly Point[], command: string): string {
  const freedoms = points.flatMap(({ freedom, sentence }) =>
    freedom === undefined ? [] : [`  # ${sentence}`, `  ${freedom[0]}: ${JSON.stringify(freedom[1])}`],
  );
  const faults = points.flatMap(({ fault, sentence }) =>
    fault === undefined ? [] : [`  # ${sentence}`, `  - ${flow(fault)}`],
  );
  return [
    "# Found by gatewright bisect: the least that breaks this command.",
    `#   ${command.replaceAll("\n", " ")}`,
    "extends: demo",
    ...(freedoms.length === 0 ? [] : ["freedoms:", ...freedoms]),
    ...(faults.length === 0 ? [] : ["faults:", ...faults]),
    "",
  ].join("\n");
}

/** A flow mapping of YAML. */
function flow(value: unknown): string {
  if (typeof value !== "object" || value === null) return plain(value);
  const members = Object.entries(value as Rule).map(([name, member]) => `${name}: ${flow(member)}`);
  return `{ ${members.join(", ")} }`;
}

/** JSON is YAML; a word needs no quotes. */
const plain = (value: unknown): string =>
  typeof value === "string" && /^[a-zA-Z][\w-]*$/.test(value) ? value : JSON.stringify(value);
