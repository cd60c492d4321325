/**
 * The meaning of each macro in words. A report with only the macro's name would send its readers to the source code.
 */
const meanings: Readonly<Record<string, string>> = {
  unauthorized: "401",
  refused: "4xx, not 404",
  invalid: "400",
  rejected: "400 or a failed outcome",
  placed: "200 with NEW_ORDER and the order",
  replayed: "200 with DUPLICATE_REPLAY and the same order",
  turnedAway: "refused, or closed before any message",
  failedOutcome: "a failed outcome, without an order",
  orderShape: "the fields of an order",
  orderResult: "an outcome, a message and an order",
  productGroup: "a name and its pairs",
  productPair: "the fields of a pair",
  saysWhy: "a message, or a detail, that says what was wrong",
};

/** `rejected` becomes `rejected (400 or a failed outcome)`; an argument in brackets is left out. */
export function macroWords(text: string): string {
  const name = text.replace(/\(.*$/, "");
  const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined;
  return meaning === undefined ? text : `${name} (${meaning})`;
}
