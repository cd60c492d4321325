import { type Markup, markup } from "./markup.ts";

/** Hidden until the script shows it, because without the script it would do nothing. */
export function filterBar(name: string, outcomes: readonly string[]): Markup {
  const boxes = outcomes.map(
    (outcome) => markup`<label><input type="checkbox" value="${outcome}" checked> ${outcome}</label>`,
  );
  return markup`<div class="filters" hidden><label>Find <input type="search" placeholder="id or words" aria-label="Find in ${name}"></label><span class="boxes">${boxes}</span><output aria-live="polite"></output></div>`;
}
