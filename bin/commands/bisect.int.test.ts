import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { sampled } from "../../tools/sampled.ts";
import { plantedClients } from "../bisect/testing/planted.ts";
import { main } from "../gatewright.ts";
import { nextSteps } from "./bisect.ts";

const folder = mkdtempSync(path.join(tmpdir(), "gatewright-bisect-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let output = "";
beforeEach(() => {
  output = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    output += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    output += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const bisect = (...words: readonly string[]): Promise<number> =>
  main(["node", "gatewright", "bisect", ...words], "1.0.0");

/** For the shell of the client. */
const node = (program: string): string => `"${process.execPath}" -e '${program}'`;

describe("gatewright bisect", () => {
  // Seeds near those that break them: looking for a seed is the same every time. `npm run bench:bisect` begins with 1.
  it.each(
    sampled(2, [
      ["hasty", "7"],
      ["sync-cancel", "4"],
    ] as const),
  )("names what breaks the planted client %s, and nothing else", async (name, seed) => {
    const client = plantedClients.find((one) => one.name === name);
    const out = path.join(folder, `${name}.yaml`);
    const code = await bisect(
      "--seed",
      seed,
      "--jobs",
      "2",
      "--out",
      out,
      "--json",
      "--",
      client?.command ?? "",
    );
    expect(code).toBe(1);
    const result = JSON.parse(output.trim().split("\n").at(-1) ?? "") as {
      readonly kind: string;
      readonly points: readonly { readonly id: string }[];
      readonly world: string;
    };
    expect(result.kind).toBe("broken");
    expect(result.points.map(({ id }) => id)).toEqual([expect.stringMatching(client?.causes ?? /never/)]);
    expect(readFileSync(out, "utf8")).toBe(result.world);
    expect(Object.keys(parse(result.world) as object)).toHaveLength(2);
  });

  it.each([
    ["found.yaml", " serve --db :memory: --world found.yaml, run the client"],
    ["my worlds/found.yaml", " serve --db :memory: --world 'my worlds/found.yaml', run the client"],
    [undefined, "save these lines as found.yaml, then "],
  ])("ends with a line that works beside the database of the demo world: --out %s", (out, line) => {
    const tip = nextSteps(out);
    expect(tip).toContain(line);
    expect(tip.match(/ --db :memory: /g)).toHaveLength(1);
    // A test is no command of PATH, so the program is named by its path.
    expect(tip).not.toMatch(/(?:^|[ :])gatewright /);
  });

  it("says so when nothing breaks the client", async () => {
    expect(await bisect("--runs", "3", "--", node("process.exit(0)"))).toBe(0);
    expect(output).toContain("Nothing broke it: 4 runs");
  });

  it("gives the client the address of a world and a key, and no more of ours", async () => {
    const program =
      "const e = process.env; process.exit(/^http/.test(e.GATEWRIGHT_BASE_URL) && /^ws/.test(e.GATEWRIGHT_WS_URL) && e.GATEWRIGHT_KEY_ID && e.GATEWRIGHT_SECRET && !e.GATEWRIGHT_TASK ? 0 : 1)";
    expect(await bisect("--runs", "1", "--", node(program))).toBe(0);
  });

  it("does not bisect a client that fails in the demo world, and shows what it printed", async () => {
    expect(await bisect("--", node('console.log("no such file"); process.exit(3)'))).toBe(2);
    expect(output).toContain("nothing to bisect");
    expect(output).toContain("no such file");
  });

  it("ends a client that hangs, which has failed", async () => {
    expect(await bisect("--time-limit", "1", "--", node("setInterval(() => 0, 1000)"))).toBe(2);
    expect(output).toContain("time limit");
  });
});
