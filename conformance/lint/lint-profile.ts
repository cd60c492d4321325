import { operationNames, pathParameters } from "../contract/operations.ts";
import {
  assumptionIds,
  capabilityNames,
  claimNames,
  credentialRoles,
  factNames,
} from "../contract/vocabulary.ts";
import { ClauseRegister } from "../model/clause.ts";
import type { Path, Problem } from "../model/position.ts";
import { didYouMean, nearest } from "../model/suggest.ts";
import { asMap } from "../model/value.ts";
import type { Source } from "../parse/source.ts";
import { lintDurations } from "./lint-bounds.ts";
import { MatcherLint } from "./lint-matcher.ts";
import { LintProblems } from "./lint-problems.ts";
import { lintPatterns } from "./lint-size.ts";

/** Checks names that the schema cannot know: each must be used by a case, or be user-defined (`x-`). */
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
  const patterns = lintPatterns(source);
  return [
    ...problems,
    ...slips(file["facts"], ["facts"], factNames, source),
    ...pathSlips(source),
    ...claimSlips(source),
    ...contradictions(source),
    ...tooLong(source),
    ...(patterns.length > 0 ? patterns : streamMatchers(source)),
  ];
}

/** Paths are below the address of the profile, and have the kit's names for what it fills in. */
function pathSlips(source: Source): Problem[] {
  const file = asMap(source.value);
  const prefix =
    /^(?:https?:\/\/[^/]+|\$\{[^}]*\})(\/.*?)\/*$/.exec(String(file["baseUrl"]))?.[1] ?? specifiedPrefix;
  return Object.entries(asMap(file["operations"])).flatMap(([name, mapping]) => {
    const path = asMap(mapping)["path"];
    if (typeof path !== "string") return [];
    const at = ["operations", name, "path"];
    if (prefix !== "" && `${path}/`.startsWith(`${prefix}/`))
      return source.problem(at, `${path} repeats the end of baseUrl: paths are below it`, {
        hint: `write '${path.slice(prefix.length) || "/"}'`,
      });
    const wanted = pathParameters[name];
    return [...path.matchAll(/\{(\w*)\}/g)].flatMap(([whole, parameter]) => {
      if (parameter === wanted || name.startsWith("x-")) return [];
      return source.problem(
        at,
        `the kit fills ${wanted === undefined ? "nothing" : `{${wanted}}`} into the path of ${name}, and not ${whole}`,
        {
          hint: wanted === undefined ? "write the path out" : `write '${path.replace(whole, `{${wanted}}`)}'`,
        },
      );
    });
  });
}

/** Where the address itself is a variable. */
const specifiedPrefix = "/api/v1/trading";

function tooLong(source: Source): Problem[] {
  const found: Problem[] = [];
  lintDurations(asMap(source.value)["timeouts"] ?? null, ["timeouts"], (path, problem) =>
    found.push(source.problem(path, problem)),
  );
  return found;
}

/** Secrets in the file itself, which the schema refuses; no message may repeat one. */
export function writtenSecrets(source: Source): string[] {
  const file = asMap(source.value);
  const entries = Object.values(asMap(file["credentials"])).map((entry) => asMap(entry)["secret"]);
  const stated = [...entries, asMap(file["control"])["token"]].map((secret) => String(secret ?? ""));
  return stated.filter((secret) => secret.length >= 4 && !/^\$\{env:\w+\}$/.test(secret));
}

/** Reports keys that contradict each other. */
function contradictions(source: Source): Problem[] {
  const file = asMap(source.value);
  const facts = asMap(file["facts"]);
  const products = Object.keys(asMap(asMap(file["safety"])["products"]));
  const disabled = facts["disabledProduct"];
  const limited = asMap(facts["limits"])["product"];
  const problems: Problem[] = [];
  if (typeof disabled === "string" && products.includes(disabled))
    problems.push(
      source.problem(
        ["facts", "disabledProduct"],
        `${disabled} is disabled here and traded in safety.products`,
        {
          hint: "name a product that the account may not order, or take it out of safety.products",
        },
      ),
    );
  if (typeof limited === "string" && products.length > 0 && !products.includes(limited))
    problems.push(
      source.problem(["facts", "limits", "product"], `${limited} is not among safety.products`, {
        hint: didYouMean(limited, products) ?? `known here: ${products.join(", ")}`,
      }),
    );
  return problems;
}

/** The matchers of the stream follow the rules for matchers of scenarios. */
function streamMatchers(source: Source): Problem[] {
  const problems = new LintProblems(source, new ClauseRegister([]));
  const lint = new MatcherLint(problems);
  const ws = asMap(asMap(source.value)["ws"]);
  if (ws["ack"] !== "none") lint.matcher(ws["ack"], ["ws", "ack"]);
  for (const [name, event] of Object.entries(asMap(ws["events"])))
    lint.matcher(asMap(event)["when"], ["ws", "events", name, "when"]);
  return problems.all;
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

/**
 * A target may have claims of its own; a name that is close to one of the four claims is reported as a typing mistake.
 */
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
