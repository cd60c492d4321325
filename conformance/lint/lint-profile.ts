import { operationNames } from "../contract/operations.ts";
import {
  assumptionIds,
  capabilityNames,
  claimNames,
  credentialRoles,
  factNames,
} from "../contract/vocabulary.ts";
import type { Problem } from "../model/position.ts";
import { asMap } from "../parse/scenario.ts";
import type { Path, Source } from "../parse/source.ts";
import { didYouMean, nearest } from "../parse/suggest.ts";

/** Names that the schema cannot know: each must be one that some case asks for, or one's own (`x-`). */
export function lintProfile(source: Source): Problem[] {
  const file = asMap(source.value);
  const problems: Problem[] = [];
  const names = (key: string, what: string, known: readonly string[]): void => {
    for (const name of Object.keys(asMap(file[key]))) {
      if (known.includes(name) || name.startsWith("x-")) continue;
      const hint =
        didYouMean(name, known) ??
        `known are ${known.join(", ")}; names for scenarios of your own begin with x-`;
      problems.push(source.problem([key, name], `there is no ${what} "${name}"`, { hint, what: "key" }));
    }
  };
  names("operations", "operation", operationNames);
  names("capabilities", "capability", capabilityNames);
  names("credentials", "role", credentialRoles);
  names("assumptions", "assumption", assumptionIds);
  return [...problems, ...slips(file["facts"], ["facts"], factNames, source), ...claimSlips(source)];
}

function slips(value: unknown, path: Path, known: readonly string[], source: Source): Problem[] {
  const stated = typeof value === "object" && value !== null ? Object.keys(value) : [];
  return stated.flatMap((name) => {
    if (known.includes(name) || nearest(name, known) === undefined) return [];
    return source.problem([...path, name], `no case asks for the fact "${name}"`, {
      hint: didYouMean(name, known),
      what: "key",
    });
  });
}

/** A target may have claims of its own; one that is nearly one of the four is a slip. */
function claimSlips(source: Source): Problem[] {
  const roles = asMap(asMap(source.value)["credentials"]);
  return Object.entries(roles).flatMap(([role, value]) => {
    const claims = asMap(value)["claims"];
    return (Array.isArray(claims) ? claims.map(String) : []).flatMap((claim, index) => {
      if (claimNames.some((name) => name === claim) || nearest(claim, claimNames) === undefined) return [];
      const hint = didYouMean(claim, claimNames);
      return source.problem(["credentials", role, "claims", index], `there is no claim "${claim}"`, { hint });
    });
  });
}
