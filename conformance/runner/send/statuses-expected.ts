import { expandExchangeMacro } from "../../check/exchange-macros.ts";
import { isOpen } from "../../model/expr.ts";
import type { Expectation } from "../../model/language.ts";
import { branchesOf, isSwitched, type Step } from "../../model/step.ts";
import { isList, isMap, type Value } from "../../model/value.ts";

/** The statuses that a step accepts: by number, and by the first digit of their class (`5xx`). */
export interface StatusesExpected {
  /** Is the status named by its number? If so, a busy target has answered; otherwise the request is sent again. */
  readonly names: (status: number) => boolean;
  /** Are statuses named, and neither this one nor its class? */
  readonly excludes: (status: number) => boolean;
  /** Is a status of 500 or more named, or their class? Then it is not a fault of the target (ERR-09). */
  readonly serverErrors: boolean;
}

/**
 * Reads the assertions under `expect` and `should`, only at the places of a status: an amount of `512` or a text with a
 * 429 in it names no status, and a status under `$not` is not expected. `fill` replaces references in a text.
 */
export function statusesExpected(step: Step, fill: (text: string) => string): StatusesExpected {
  const words = new Set<string>();
  const { expect = {}, should = {} } = step.assertions;
  for (const block of [expect, should]) addBlock(block);
  return {
    names: (status) => words.has(String(status)),
    excludes: (status) =>
      words.size > 0 && !words.has(String(status)) && !words.has(`${String(status)[0] ?? ""}xx`),
    serverErrors: [...words].some((word) => word.startsWith("5")),
  };

  function addBlock(block: Expectation): void {
    if (isSwitched(block)) return branchesOf(block).forEach((branch) => addBlock(branch));
    const { status, $anyOf = [], $macro } = block;
    if (status !== undefined) addStatus(status);
    $anyOf.forEach(addBlock);
    // A macro with a reference is a replay, which is answered with 200.
    if ($macro !== undefined && !isOpen($macro)) expandExchangeMacro($macro).forEach(addBlock);
  }

  function addStatus(wanted: Value): void {
    if (isList(wanted)) return wanted.forEach(addStatus);
    if (!isMap(wanted)) {
      if (wanted !== null) words.add(fill(String(wanted)));
      return;
    }
    for (const [key, inner] of Object.entries(wanted)) if (insideMatchers.has(key)) addStatus(inner);
  }
}

/** Matchers that accept the values that they contain. */
const insideMatchers: ReadonlySet<string> = new Set([
  "$in",
  "$anyOf",
  "$oneOf",
  "$allOf",
  "$eq",
  "is",
  "$optional",
  "$nullable",
]);
