import { shortened } from "../printable.ts";
import type { ReportedFinding } from "../report.ts";
import { anchor, type Markup, markup } from "./markup.ts";
import { outcomeTag } from "./outcomes.ts";

/** A difference to be shown. Its severity and clauses are left out where a heading says them. */
export type Different = Pick<ReportedFinding, "pointer" | "expected" | "actual"> &
  Partial<Pick<ReportedFinding, "severity" | "clauses" | "said" | "drawing" | "expectedBy">>;

const strengths = { fail: "failed", warn: "warned", info: "passed" } as const;

/** The member, what was expected of it and what it was, and the target's own words unless they stand beside it. */
export function differenceBlock(item: Different): Markup {
  const { severity, clauses = [], pointer, expected, actual, said, drawing = [], expectedBy } = item;
  const tag = severity === "info" ? markup`noted` : severity && outcomeTag(strengths[severity]);
  const seen =
    severity &&
    markup`<p class="seen">${tag} ${clauses.map((id) => markup`<a href="#${anchor("clause", id)}">${id}</a> `)}</p>`;
  return markup`<div class="finding">${seen}<dl class="difference">${pointer === "" ? undefined : markup`<dt>at</dt><dd><code>${pointer}</code></dd>`}<dt>expected</dt><dd class="expected"><code>${shortened(expected, 4000)}</code></dd><dt>was</dt><dd class="actual"><code>${shortened(actual, 4000)}</code></dd>${said === undefined ? undefined : markup`<dt>it said</dt><dd><q>${said}</q></dd>`}</dl>${expectedBy === undefined ? undefined : markup`<p class="more">Expected by ${expectedBy}</p>`}${drawing.length === 0 ? undefined : markup`<pre>${drawing.join("\n")}</pre>`}</div>`;
}

/** A command with a button that the script shows. */
export function commandBlock(title: string, kind: string, command: string): Markup {
  return markup`<p class="label">${title} <button type="button" class="copy" hidden>Copy</button></p><pre class="${kind}">${command}</pre>`;
}
