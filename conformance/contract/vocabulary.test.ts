import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSuite } from "../load-suite.ts";
import { packageRoot } from "../package-root.ts";
import { operationNames } from "./operations.ts";
import { capabilityNames, claimNames, credentialRoles, factNames } from "./vocabulary.ts";

const page = readFileSync(join(packageRoot(), "docs", "profile.md"), "utf8");

/** The names in a section of docs/profile.md: in the first column of its table, or in its text. */
function named(section: string): string[] {
  const [, text = ""] = new RegExp(`## ${section}\\n([\\s\\S]*?)(?=\\n## |$)`).exec(page) ?? [];
  const columns = text.split("\n").flatMap((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? []);
  return columns.flatMap((column) => [...column.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}

describe("docs/profile.md", () => {
  it.each([
    ["Credentials", credentialRoles],
    ["Capabilities", capabilityNames],
    ["Facts", factNames],
  ] as const)("lists what the code knows: %s", (section, names) => {
    expect(named(section).toSorted()).toEqual([...names].toSorted());
  });

  it("lists the operations, with those that the specification fixes", () => {
    const fixed = ["placeOrder", "openOrders", "products"];
    for (const name of fixed) expect(page).toContain(`\`${name}\``);
    expect([...named("Operations"), ...fixed].toSorted()).toEqual([...operationNames].toSorted());
  });

  it("lists the statements that promise a clause, as in the register", async () => {
    const { clauses } = (await readSuite([])).suite;
    const promised = clauses.distinct().flatMap(({ promisedBy = [] }) => promisedBy);
    const keys = named("Promises").map((name) => name.replace(/: .*/, ""));
    expect([...new Set(keys)].toSorted()).toEqual([...new Set(promised.map(({ key }) => key))].toSorted());
  });

  it("lists the claims", () => {
    for (const claim of claimNames) expect(page).toContain(`\`${claim}\``);
  });
});
