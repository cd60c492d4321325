import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { questionOf } from "../bin/shrink/targets.ts";
import * as kit from "../conformance/commands.ts";
import { plantedBug, recordPlantedSession } from "./lib/planted-session.ts";

/** A sample of `npm run bench:shrink`. */
describe("a failure that is planted in a recorded session", () => {
  it("is found again, in a scenario that the kit reads and that passes without the bug", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "shrink-"));
    try {
      const file = path.join(folder, "session.recording");
      await recordPlantedSession({ file, isBuggy: true, events: 60, seed: 1 });
      const { defect, clause: violates } = plantedBug;
      const lines: string[] = [];
      const out = path.join(folder, "Planted Bug.yaml");
      const shrunk = await kit.shrinkFile({
        file,
        out,
        question: await questionOf({ violates, defect: [defect] }),
        // The cuts alone; plainer values cost tries.
        mostTries: 8,
        limitMs: 60_000,
        signal: new AbortController().signal,
        onProgress: (line) => lines.push(line),
      });
      expect(shrunk).toMatchObject({ kind: "stopped", steps: 3, passesClean: true, remarks: [] });
      // The whole session is not run.
      expect(lines[0]).toMatch(/^the recording shows it at place\d+: what that depends on \(0 tries/);
      expect(lines[1]).toMatch(/^3 steps left \(2 tries/);
      expect(shrunk.text).toContain("id: planted-bug\n");
      expect(shrunk.text).toContain("spec: [ PLC-10 ]");
      writeFileSync(out, shrunk.text);
      const { suite, problems } = await kit.readSuite([out]);
      expect([problems, suite.scenarios.length]).toEqual([[], 1]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
