import { type Markup, markup } from "./markup.ts";

/** Some readers cannot see colours, and paper may have none: each outcome has a sign and a word. */
const signs: Readonly<Record<string, readonly [kind: string, sign: string, word: string]>> = {
  satisfied: ["good", "✓", "satisfied"],
  passed: ["good", "✓", "passed"],
  violated: ["bad", "✗", "violated"],
  failed: ["bad", "✗", "failed"],
  error: ["bad", "✗", "error"],
  warned: ["warn", "!", "warned"],
  unverified: ["open", "?", "unverified"],
  blocked: ["open", "?", "blocked"],
  "n/a": ["none", "–", "not applicable"],
  notApplicable: ["none", "–", "not applicable"],
  filtered: ["none", "·", "not selected"],
  untestable: ["none", "·", "untestable"],
};

export function signOf(outcome: string): readonly [kind: string, sign: string, word: string] {
  return signs[outcome] ?? ["none", "·", outcome];
}

export function outcomeTag(outcome: string): Markup {
  const [kind, sign, word] = signOf(outcome);
  return markup`<span class="tag ${kind}"><i aria-hidden="true">${sign}</i> ${word}</span>`;
}

/** In the order of needed attention. */
export const caseOutcomes = [
  "failed",
  "error",
  "warned",
  "blocked",
  "passed",
  "notApplicable",
  "filtered",
] as const;
export const clauseOutcomeOrder = [
  "violated",
  "warned",
  "unverified",
  "satisfied",
  "n/a",
  "untestable",
] as const;
