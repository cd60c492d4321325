import { randomBytes } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type ConformOptions, runConformance } from "../../conform.ts";
import { compareReports } from "../../report/compare-reports.ts";
import { bugs } from "./bugs.ts";
import { Gateway } from "./gateway.ts";
import { profile } from "./profile.ts";

/** A gateway whose ids are no UUIDs and others in every run. A repeat for another product makes a second order. */
async function tried(more: Partial<ConformOptions>) {
  const gateway = new Gateway();
  bugs.find(({ id }) => id === "F-34")?.install(gateway);
  gateway.desk.newId = () => `O-${BigInt(`0x${randomBytes(6).toString("hex")}`).toString(36)}`;
  await using _ = await gateway.listen();
  const options = {
    ...profile(gateway),
    seed: 1,
    level: "full",
    properties: "off",
    only: ["idempotency-025*"],
  } as const;
  return await runConformance({ ...options, expectations: false, ...more });
}

it("writes an expectation file that fits the next run, and finds no other behaviour in it", async () => {
  const first = await tried({});
  expect(first.report.verdict).toBe("NON_CONFORMANT");
  const draft = first.draftExpectations();
  expect(draft).toContain("<id>");
  const file = join(await mkdtemp(join(tmpdir(), "gatewright-")), "known.yaml");
  await writeFile(file, draft.replaceAll(/TODO[^']*/g, "accepted by the owner"));
  const { report } = await tried({ expectations: file, gate: "regressions" });
  expect(report.expectations?.map(({ status, detail }) => `${status} ${detail}`)).toEqual(
    report.expectations?.map(({ detail }) => `matched ${detail}`),
  );
  expect(report.exitCode).toBe(0);
  expect(compareReports(first.report, report).behaviour).toEqual([]);
});
