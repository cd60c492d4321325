import process from "node:process";
import { afterEach, beforeEach, vi } from "vitest";

/** The output of commands that run in this process, on both streams, anew for each test of a file. */
export function captureOutput(): { output: string; errors: string } {
  const said = { output: "", errors: "" };
  beforeEach(() => {
    Object.assign(said, { output: "", errors: "" });
    vi.spyOn(process.stdout, "write").mockImplementation((text) => ((said.output += String(text)), true));
    vi.spyOn(process.stderr, "write").mockImplementation((text) => ((said.errors += String(text)), true));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    process.exitCode = undefined;
  });
  return said;
}
