/**
 * Both matrices as one page, for finding gaps: the expected and the actual result of each bug, and the clauses that no
 * bug violates. It uses the frame of the kit's own report and is as safe: everything is escaped.
 */
import { anchor, filterBar, htmlPage, type Markup, markup } from "../../conformance/commands.ts";
import { type SpecClause, testableClauses } from "./catalogue.ts";
import { isWanted, type Matrix, type MatrixResult } from "./matrix.ts";

const kinds: Readonly<Record<MatrixResult["kind"], string>> = {
  named: "Named bugs",
  field: "Bugs of single fields",
  independent: "Bugs by an author who had not seen the suite",
  variation: "Legal variations",
  combination: "Legal variations, several at once",
  hostile: "Hostile mode, by seed",
};

const isLegal = ({ kind }: MatrixResult): boolean =>
  kind === "variation" || kind === "combination" || kind === "hostile";

export function matrixPage(matrix: Matrix, clauses: readonly SpecClause[]): string {
  const good = matrix.results.filter(isWanted).length;
  const of = matrix.results.length;
  return htmlPage({
    title: `${good} of ${of} · what the kit notices`,
    name: "matrices",
    banner: banner(matrix, good, of),
    body: [
      matrixSection(
        "bugs",
        "Bugs",
        matrix.results.filter((one) => !isLegal(one)),
      ),
      matrixSection("variations", "Legal variations", matrix.results.filter(isLegal)),
      clausesSection(matrix, clauses),
    ],
  });
}

function banner(matrix: Matrix, good: number, of: number): Markup {
  const counts = Object.entries(matrix.totals)
    .filter(([, totals]) => totals.of > 0)
    // as: the keys of the totals are the kinds.
    .map(([kind, totals]) => {
      const name = kinds[kind as MatrixResult["kind"]];
      return markup`<li><a href="#${totals.others.length === 0 ? "bugs" : anchor("trial", totals.others[0] ?? "")}"><b>${totals.wanted}</b> of ${totals.of} <span>${name}</span></a></li>`;
    });
  const { level, seed, durationMs, properties, startedAt, jobs, early } = matrix;
  return markup`<header class="banner ${good === of ? "good" : "bad"}">
<p class="product">Gatewright: what the kit notices</p>
<h1>${good} of ${of} as wanted</h1>
<p class="reason">Level <b>${level}</b>, seed ${seed}, properties ${properties}, begun ${startedAt}; ${(durationMs / 1000).toFixed(0)} s with ${jobs} at once.${early ? " Each trial ended at its first conviction: what else would have gone red is not known." : ""}</p>
<ul class="counts" aria-label="Trials by kind">${counts}</ul>
<nav aria-label="Parts of the page"><a href="#bugs">Bugs</a> <a href="#variations">Legal variations</a> <a href="#clauses">Clauses</a></nav>
</header>`;
}

/** The meaning of each outcome for one kind of trial. */
function signOf(result: MatrixResult): readonly [kind: string, sign: string, word: string] {
  const { outcome } = result;
  if (outcome === "unnoticed") return isLegal(result) ? ["good", "✓", "passed"] : ["bad", "✗", "unnoticed"];
  if (outcome === "convicted") return ["good", "✓", "convicted"];
  if (outcome === "noted") return ["none", "·", "noted"];
  if (outcome === "by-another-clause") return ["warn", "!", "by another clause"];
  if (outcome === "refused") return ["open", "?", "refused"];
  return ["bad", "✗", outcome === "false-alarm" ? "false alarm" : "error"];
}

function matrixSection(id: string, title: string, results: readonly MatrixResult[]): Markup {
  if (results.length === 0) return markup`<section id="${id}"></section>`;
  // Results that need attention come first; sorting keeps the order of the catalogue otherwise.
  const sorted = results.toSorted((one, other) => Number(isWanted(one)) - Number(isWanted(other)));
  const words = [...new Set(sorted.map((result) => signOf(result)[2]))];
  return markup`<section id="${id}" data-filter="${id}"><h2>${title} <small>${results.length}</small></h2>
${filterBar(id, words)}
<div class="scroll"><table class="register detection"><thead><tr><th scope="col">Mutant</th><th scope="col">Clause expected</th><th scope="col">Clauses that went red</th><th scope="col">Cases that did</th><th scope="col" class="number">Outcome</th><th scope="col" class="number">Time</th></tr></thead><tbody>${sorted.map(row)}</tbody></table></div></section>`;
}

function row(result: MatrixResult): Markup {
  const { id, title, expected, violated, warned, cases, note, durationMs, early } = result;
  const [kind, sign, word] = signOf(result);
  const own = (clause: string): boolean => expected.includes(clause);
  const red = [...violated.filter(own), ...violated.filter((clause) => !own(clause))];
  const shown = [
    ...red.map((clause) => (own(clause) ? markup`<b>${clause}</b> ` : markup`${clause} `)),
    ...warned.map((clause) => markup`<small>${clause} warned</small> `),
  ];
  return markup`<tr id="${anchor("trial", id)}" data-outcome="${word}">
<th scope="row">${id}<p class="where">${title === id ? "" : title}</p></th>
<td>${expected.map((clause) => markup`<a href="#${anchor("clause", clause)}">${clause}</a> `)}</td>
<td>${folded(shown, 8)}${note === undefined ? undefined : markup`<p class="where">${note}</p>`}</td>
<td class="cases">${folded(
    cases.map((name) => markup`${name} `),
    3,
  )}</td>
<td><span class="tag ${kind}"><i aria-hidden="true">${sign}</i> ${word}</span></td>
<td class="time">${(durationMs / 1000).toFixed(1)} s${early === true ? markup`<br><small>ended early</small>` : undefined}</td>
</tr>`;
}

/** A bug can turn half of the register red; the row stays a row. */
function folded(items: readonly Markup[], most: number): Markup {
  if (items.length <= most + 2) return markup`${items}`;
  return markup`${items.slice(0, most)}<details><summary>and ${items.length - most} more</summary>${items.slice(most)}</details>`;
}

function clausesSection(matrix: Matrix, clauses: readonly SpecClause[]): Markup {
  const bugs = matrix.results.filter((result) => !isLegal(result));
  const rows = testableClauses(clauses, matrix.level).map(({ id, level, statement }) => {
    const breaking = bugs.filter(({ expected }) => expected.includes(id));
    const convicting = breaking.filter(
      ({ violated, warned }) => violated.includes(id) || (level === "recommended" && warned.includes(id)),
    );
    const [kind, sign, word] =
      convicting.length > 0
        ? ["good", "✓", "convicted"]
        : breaking.length > 0
          ? ["bad", "✗", "convicted of no bug"]
          : ["open", "?", "broken by no bug"];
    const links = convicting.map((one) => markup`<a href="#${anchor("trial", one.id)}">${one.id}</a> `);
    return markup`<tr id="${anchor("clause", id)}" data-outcome="${word}"><th scope="row">${id}</th><td><p>${statement}</p></td><td class="level">${level}</td><td class="cases">${folded(links, 6)}</td><td>${convicting.length} of ${breaking.length}</td><td><span class="tag ${kind}"><i aria-hidden="true">${sign}</i> ${word}</span></td></tr>`;
  });
  return markup`<section id="clauses" data-filter="clauses"><h2>Clauses <small>${rows.length}</small></h2>
<p class="lead">Required and recommended clauses of the level, each with the bugs that break it and turned it red.</p>
${filterBar("clauses", ["convicted", "convicted of no bug", "broken by no bug"])}
<div class="scroll"><table class="register detection"><thead><tr><th scope="col" class="number">Clause</th><th scope="col">What it says</th><th scope="col" class="number">Level</th><th scope="col">Convicted of</th><th scope="col" class="number">Bugs</th><th scope="col" class="number">Outcome</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}
