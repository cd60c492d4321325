import { Command } from "@commander-js/extra-typings";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Trial } from "../detection/catalogue.ts";
import { register } from "./mutants.ts";

const { tried } = vi.hoisted(() => ({ tried: [] as string[] }));
vi.mock("../detection/run-trials.ts", () => ({
  runTrials: (trials: readonly Trial[]) => {
    tried.push(...trials.map(({ id }) => id));
    return Promise.resolve([]);
  },
}));

beforeEach(() => {
  tried.length = 0;
  vi.spyOn(process.stdout, "write").mockImplementation(() => true);
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

async function mutants(...args: string[]): Promise<unknown> {
  const program = new Command().exitOverride();
  register(program);
  return program.parseAsync(["node", "gatewright", "mutants", ...args]).catch((error: unknown) => error);
}

describe("gatewright mutants", () => {
  it.each([[[]], [["--stop-at-conviction"]], [["--properties", "off", "--jobs", "1"]]])(
    "starts nothing without a selection, and lists the choices: %j",
    async (args) => {
      const refused = await mutants(...args);
      expect(tried).toEqual([]);
      expect(refused).toMatchObject({ exitCode: 2 });
      const said = String(refused);
      expect(said).toMatch(/run the suite \d{3,} times, .*, which takes hours\. Choose:\n/);
      for (const choice of ["--list", "--only M-041,M-042", "--kind named", "--kind sample", "--kind all"])
        expect(said).toContain(`gatewright mutants ${choice} `);
      expect(said).not.toMatch(/\(0\)|the 0 /);
    },
  );

  it("starts the selected trials", async () => {
    await mutants("--only", "M-041,M-042");
    expect(tried).toEqual(["M-041", "M-042"]);
    await mutants("--kind", "variation", "--only", "V-07");
    expect(tried).toEqual(["M-041", "M-042", "V-07"]);
    tried.length = 0;
    await mutants("--kind", "all");
    expect(tried.length).toBeGreaterThan(100);
  });
});
