import { expandExchangeMacro } from "../../check/exchange-macros.ts";
import { isOpen } from "../../model/expr.ts";
import type { Expectation } from "../../model/language.ts";
import { branchesOf, isSwitched, type Step } from "../../model/step.ts";
import { isList, isMap, type Value } from "../../model/value.ts";

/** The statuses that a step names as right ones: by number, and by the first digit of their class (`5xx`). */
export interface StatusesExpected {
  /** Is it named by its number? A busy target whose status is asked for has answered; any other is asked again. */
  readonly names: (status: number) => boolean;
  /** Is a status of 500 or more named, or their class? It is then no fault of the target (ERR-09). */
  readonly serverErrors: boolean;
}

/**
 * Read off the assertions under `expect` and `should`, at the places where a status can stand, and nowhere else: an amount of `512` or a
 * text with a 429 in it names no status, and what `$not` rules out is not expected. `fill` puts values into a text with references.
 */
export function statusesExpected(step: Step, fill: (text: string) => string): StatusesExpected {
  const words = new Set<string>();
  const { expect = {}, should = {} } = step.assertions;
  for (const block of [expect, should]) addBlock(block);
  return {
    names: (status) => words.has(String(status)),
    serverErrors: [...words].some((word) => word.startsWith("5")),
  };

  function addBlock(block: Expectation): void {
    if (isSwitched(block)) return branchesOf(block).forEach((branch) => addBlock(branch));
    const { status, $anyOf = [], $macro } = block;
    if (status !== undefined) addStatus(status);
    $anyOf.forEach(addBlock);
    // With a reference in it, it is a replay, which is answered 200.
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

/** Those that say of what they hold that it is right. */
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
