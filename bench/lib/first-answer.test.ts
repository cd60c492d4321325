import { describe, expect, it } from "vitest";
import { firstAnswer } from "./first-answer.ts";

const program = (code: string) => ({
  args: ["-e", code],
  cwd: import.meta.dirname,
  address: (line: string) => `http://127.0.0.1:${line}/`,
});
const listening = (answer: string): string =>
  `const s = require("node:http").createServer((q, r) => { ${answer} }).listen(0, "127.0.0.1", () => console.log(s.address().port));`;

describe("the time to a first answer", () => {
  it("is taken at a port that the program chooses", async () => {
    expect(await firstAnswer(program(listening("r.end('{}')")))).toBeGreaterThan(0n);
  });

  it("is that of a 200, not of an answer while the program is still starting", async () => {
    const asked =
      "globalThis.n = (globalThis.n ?? 0) + 1; r.statusCode = n < 4 ? 503 : 200; r.end(); if (n > 4) process.exit(9)";
    expect(await firstAnswer(program(listening(asked)))).toBeGreaterThan(0n);
  });

  it("is no time but the program's own words when it ends before", async () => {
    const failing = `console.error("the port is in use"); process.exit(2)`;
    await expect(firstAnswer(program(failing))).rejects.toThrow(/ended with 2 .*: the port is in use/);
    await expect(firstAnswer(program(listening("process.exit(3)")))).rejects.toThrow("ended with 3");
  });
});
