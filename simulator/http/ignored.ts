/** What a request said that nobody used (F-unknown-query, F-unknown-request-fields): a header of its answer names it. */

export const IGNORED_HEADER = "X-Gatewright-Ignored";

const MOST_NAMES = 20;
const LONGEST_NAME = 40;

/** Names as one line: each is cut when it is long, and what is not a plain character is percent-encoded. */
export function ignoredLine(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map(spelled);
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

const spelled = (name: string): string =>
  name
    .slice(0, LONGEST_NAME)
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/[^\w.[\]$-]/gu, (character) => encodeURIComponent(character));
