import { describe, expect, it } from "vitest";
import { Progress } from "./progress.ts";

const passed = { id: "auth-010", outcome: "passed", durationMs: 12 } as const;
const failed = {
  id: "auth-020\u001b[2J",
  outcome: "failed",
  durationMs: 5,
  reason: "line one\nline two",
} as const;

function shown(moving: boolean): { text: () => string; progress: Progress } {
  let text = "";
  const progress = new Progress((part) => (text += part), { columns: 60, colours: false }, moving);
  return { text: () => text, progress };
}

describe("progress", () => {
  it("is a line per row in a log, and moves no cursor there", () => {
    const { text, progress } = shown(false);
    progress.row(passed);
    progress.row(failed);
    progress.end();
    const lines = text().trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^ok {6}auth-010 +12 ms$/);
    expect(text()).not.toMatch(/[\r\u001b]/);
    expect(lines.every((line) => line.length <= 60)).toBe(true);
  });

  it("is one counting line on a terminal, with what did not pass above it", () => {
    const { text, progress } = shown(true);
    progress.row(passed);
    progress.row(failed);
    progress.row(passed);
    progress.end();
    expect(text().split("\n")).toHaveLength(2);
    expect(text()).toContain("FAILED  auth-020");
    expect(text()).toContain("3 cases: 2 ok, 1 FAILED");
    expect(text().endsWith("\r\u001b[K")).toBe(true);
  });
});
