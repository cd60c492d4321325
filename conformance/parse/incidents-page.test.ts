import { expect, it } from "vitest";
import { addressOf, type Incident, incidents, shortAddress } from "./incidents.ts";

/** `vitest run conformance/parse/incidents-page.test.ts -u` writes the page. */
it("docs/incidents.md lists fixtures/incidents.yaml", async () => {
  await expect(page()).toMatchFileSnapshot("../../docs/incidents.md");
});

function page(): string {
  const { classes, list } = incidents();
  const breaking = list.filter(({ clauses }) => clauses.length > 0);
  const found = breaking.filter(({ cases }) => cases.length > 0);
  const planted = breaking.filter((incident) => incident.planted !== undefined);
  const unplanted = breaking.filter((incident) => incident.unplanted !== undefined);
  const seen = planted.filter(({ cases }) => cases.length > 0);
  return `# What went wrong elsewhere

${list.length} faults of gateways for orders, payments and market data, of their engines and of their client libraries. All are
public: each links to its thread or report, and is told in our own words. ${breaking.length} of them would break a clause here, and
for ${found.length} of these a scenario tests the statement that was broken; for the others, fixtures/incidents.yaml says why none
does. That is a match by statement. ${planted.length} are planted in a gateway of ours, too, and cases find ${seen.length} of them.
${unplanted.length} more cannot be planted in a gateway of one process; the same file says why.

\`gatewright explain PLC-10\` shows the newest ones of a clause, and a report shows them beside a violation.

${Object.entries(classes)
  .map(([name, sentence]) => section(name, sentence, list))
  .join("\n")}`;
}

function section(name: string, sentence: string, list: readonly Incident[]): string {
  const rows = list
    .filter((incident) => incident.class === name)
    .toSorted((a, b) => a.year - b.year)
    .map(({ year, title, what, source, clauses, unseen }) => {
      const address = addressOf(source);
      const seen =
        clauses.length === 0 ? "outside" : `${clauses.join(", ")}${unseen === undefined ? "" : ", unseen"}`;
      return `| ${year} | **${title}.** ${what} [${label(address)}](${address}) | ${seen} |`;
    });
  return `## ${heading(name)}\n\n${sentence}\n\n| Year | What happened | Clauses |\n|---|---|---|\n${rows.join("\n")}\n`;
}

const heading = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");

const label = (address: string): string =>
  shortAddress(address)
    .replace(/\/(?:issues|pull)\//, " ")
    .replace(/^([^/ ]+\.[a-z]+)\/.*$/, "$1");
