import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sampled, triesAll } from "../../../tools/sampled.ts";
import { conform } from "../../conform.ts";
import type { Report } from "../../report/report.ts";
import { startGateway } from "./bugs.ts";
import { profile, profileFile } from "./profile.ts";
import { variations } from "./variations.ts";

/** The owner of a gateway that reads orders for two claims says so. */
async function profileOf(id: string): Promise<string> {
  if (id !== "H-9") return profileFile;
  const text = await readFile(profileFile, "utf8");
  const [head = "", rest = ""] = text.split("\nws:");
  const either = head.replaceAll("claim: 'read:orders'", "claim: ['read:orders', 'write:orders']");
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "variation.yaml");
  await writeFile(file, `${either}\nws:${rest}`);
  return file;
}

const problems = ({ cases, ambient }: Report): string[] => [
  ...cases.flatMap(({ id, outcome, reason, findings }) => [
    ...(outcome === "error" ? [`${id} ${reason ?? ""}`] : []),
    ...findings
      .filter(({ severity }) => severity !== "info")
      .map(
        ({ clauses, pointer, expected, actual }) =>
          `${id} ${clauses.join(" ")} ${pointer} ${expected} / ${actual}`,
      ),
  ]),
  ...ambient.map(({ clause, pointer, expected, actual }) => `${clause} ${pointer} ${expected} / ${actual}`),
];

it.each(sampled(8, variations))(
  "$id is no bug: $says",
  { timeout: triesAll ? 900_000 : 300_000 },
  async ({ id, tried }) => {
    await using gateway = await startGateway(id);
    const aimed = profile(gateway, await profileOf(id));
    const only = triesAll ? [] : [...tried];
    const report = await conform({ ...aimed, seed: 1, level: "full", expectations: false, only });
    expect(problems(report)).toEqual([]);
    if (triesAll) expect(report.verdict).toBe("CONFORMANT");
    expect(report.cases.filter(({ outcome }) => outcome === "passed").length).toBeGreaterThan(0);
  },
);
