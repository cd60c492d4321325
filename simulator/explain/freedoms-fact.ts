/** The freedoms that were not as they are by default: a client may have met one for the first time. */
import type { Choices } from "../world/freedoms.ts";
import type { Fact } from "./fact.ts";

/** None when all of them were. */
export function freedomsFact(freedoms: Choices): Pick<Fact, "code" | "sentence" | "values">[] {
  const named = Object.entries(freedoms).map(([id, option]) => `${id} was ${option}`);
  if (named.length === 0) return [];
  const verb = named.length === 1 ? "One freedom was" : `${named.length} freedoms were`;
  return [
    {
      code: "FREEDOMS",
      sentence: `${verb} not as by default: ${named.join(", ")}.`,
      values: freedoms,
    },
  ];
}
