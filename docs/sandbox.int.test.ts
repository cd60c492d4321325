/** The walk of sandbox.md: the mistake that it finds, and the repair that it advises. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { bisect } from "../bin/bisect/bisect.ts";
import { worldText } from "../bin/bisect/found-world.ts";

const page = readFileSync(path.join(import.meta.dirname, "sandbox.md"), "utf8");
const client = path.join(import.meta.dirname, "clients/hasty.mjs");

/** One seed, which breaks the client of the page. */
const run = (file: string) =>
  bisect({
    command: `"${process.execPath}" "${file}"`,
    runs: 1,
    seed: 7,
    limitMs: 30_000,
    jobs: 1,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });

describe("the walk through the sandbox", () => {
  it("shows the world that bisect finds", async () => {
    const found = await run(client);
    expect(found.kind).toBe("broken");
    expect(page).toContain(worldText(found.points, "node docs/clients/hasty.mjs"));
    expect(page).toContain(found.end?.stdout.trim() ?? "nothing");
  });

  it("advises a repair that holds", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "gatewright-walk-"));
    try {
      const text = readFileSync(client, "utf8");
      const repaired = text
        .replace('await insist("POST"', 'const id = randomUUID();\nawait insist("POST"')
        .replace("client_order_id: randomUUID()", "client_order_id: id");
      expect(repaired).not.toBe(text);
      const file = path.join(folder, "repaired.mjs");
      writeFileSync(file, repaired);
      expect((await run(file)).kind).toBe("sturdy");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
