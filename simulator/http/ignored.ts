/** Ignored parts of a request (F-unknown-query, F-unknown-request-fields): a header of its answer names them. */

export const ignoredHeader = "X-Gatewright-Ignored";

const mostNames = 20;
const longestName = 40;

/** Names as one line: each is cut when it is long, and what is not a plain character is percent-encoded. */
export function ignoredLine(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map(spelled);
  const more = names.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

const spelled = (name: string): string =>
  name
    .slice(0, longestName)
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/[^\w.[\]$-]/gu, (character) => encodeURIComponent(character));
