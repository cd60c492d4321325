import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { packageRoot } from "../package-root.ts";
import { keepReading } from "./known-readings.ts";
import { readSource } from "./source.ts";
import { YamlReader } from "./yaml-reader.ts";

const folder = mkdtempSync(join(tmpdir(), "gatewright-"));
const knowing = new YamlReader({ known: folder });
const strange = new YamlReader();
afterAll(() => {
  knowing[Symbol.dispose]();
  strange[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const said = "answer: from the folder\n";
keepReading(folder, "question: a\n", {
  at: 0,
  entries: [{ key: "kept", at: 0, value: { at: 6, scalar: 1 } }],
});

describe("a reading that was made before", () => {
  it("is taken for the very same text, and for no other", async () => {
    expect((await knowing.read("question: a\n")).root).toMatchObject({ entries: [{ key: "kept" }] });
    for (const other of ["question: a", "question: a\n\n", "question: b\n"])
      expect((await knowing.read(other)).root).toMatchObject({ entries: [{ key: "question" }] });
  });

  it("says what the parser says, positions included", async () => {
    const file = "fixtures/spec/clauses.yaml";
    const text = readFileSync(join(packageRoot(), file), "utf8");
    const parsed = await readSource(file, text, strange);
    if (!parsed.ok) throw new Error("the register cannot be read");
    keepReading(folder, text, parsed.source.root);
    const known = await readSource(file, text, knowing);
    expect(known).toEqual(parsed);
    expect(known.ok && known.source.positionOf(["clauses", 7, "id"])).toEqual(
      parsed.source.positionOf(["clauses", 7, "id"]),
    );
  });

  it("that was cut off is read again", async () => {
    keepReading(folder, said, { at: 0, scalar: "kept" });
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"at":0,"ent');
    expect((await knowing.read(said)).root).toMatchObject({ entries: [{ key: "answer" }] });
  });

  it("does not let hostile text past the fences", async () => {
    expect((await knowing.read("[".repeat(5000))).problems).toMatchObject([
      { message: "the file nests deeper than 32 levels" },
    ]);
  });
});
