/**
 * The world of a start: the demo world, or the file that the user named. The only place of this folder that
 * touches the disk but for `fixture`; without a file neither the YAML parser nor the schema is loaded.
 */
import { constants, open } from "node:fs/promises";
import path from "node:path";
import { err, ok, type Result } from "../domain/result.ts";
import { type BuildOptions, type BuiltWorld, buildWorld } from "./build-world.ts";
import { maxFileBytes } from "./defaults.ts";
import { demoWorld } from "./demo-world.ts";
import type { Choices, FreedomSet } from "./freedoms.ts";
import type { WorldProblem } from "./problem.ts";
import type { ReadWorld } from "./read-world.ts";
import type { WorldFile } from "./schema.ts";

/** Options of freedoms. A set comes first, then what a seed chooses, then those that are named. */
export interface FreedomChoices {
  readonly freedomSet?: FreedomSet;
  readonly hostile?: number;
  readonly freedoms?: Choices;
}

/** Replacements for parts of a world: freedoms one by one, the others as a whole. */
export type Overrides = Pick<BuildOptions, "seed" | "clock"> & FreedomChoices;

/** `file` null: the demo world. `naming` hears of each file that it names. */
export async function loadWorld(
  file: string | null,
  overrides: Overrides = {},
  naming?: (named: string) => void,
): Promise<Result<BuiltWorld, readonly WorldProblem[]>> {
  if (file === null) return build(demoWorld, overrides);
  const read = await readWorldIn(file, naming);
  return read.ok ? build(read.value.file, overrides, { recorded: read.value.recorded }) : read;
}

/** The register of freedoms is read for a world that chooses some. */
async function build(
  file: WorldFile,
  { freedomSet = file.freedomSet, hostile = file.hostile, freedoms = {}, ...overrides }: Overrides,
  more: Pick<BuildOptions, "recorded"> = {},
): Promise<Result<BuiltWorld, readonly WorldProblem[]>> {
  const options = { ...overrides, ...more };
  const named = { ...file.freedoms, ...freedoms };
  if (freedomSet === undefined && hostile === undefined && Object.keys(named).length === 0)
    return ok(buildWorld(file, options));
  const { chooseSettings } = await import("./chosen-settings.ts");
  const chosen = chooseSettings(file.settings ?? {}, {
    freedoms: named,
    ...(freedomSet === undefined ? {} : { freedomSet }),
    ...(hostile === undefined ? {} : { hostile }),
  });
  if (chosen.ok) return ok(buildWorld(file, { ...options, chosen: chosen.value }));
  return err(chosen.error.map((message) => ({ message, advice: null, place: null })));
}

/** A world file, read and checked; `naming` hears of each file that it names. */
export async function readWorldIn(
  file: string,
  naming: (named: string) => void = () => undefined,
): Promise<Result<ReadWorld, readonly WorldProblem[]>> {
  let text: string;
  try {
    text = await readCapped(file);
  } catch (cause) {
    return err([{ message: `${file} cannot be read: ${reasonOf(cause)}`, advice: null, place: null }]);
  }
  const { readWorld } = await import("./read-world.ts");
  const readText = (name: string): Promise<string> => {
    const named = path.resolve(path.dirname(file), name);
    naming(named);
    return readNamed(named);
  };
  return readWorld(text, { file, readText });
}

/** A world given as a value by the caller of the library. */
export async function loadWorldValue(
  value: unknown,
  overrides: Overrides = {},
): Promise<Result<BuiltWorld, readonly WorldProblem[]>> {
  const { readWorldValue } = await import("./read-world.ts");
  const read = readWorldValue(value);
  return read.ok ? build(read.value.file, overrides) : read;
}

async function readNamed(file: string): Promise<string> {
  try {
    return await readCapped(file);
  } catch (cause) {
    throw new Error(reasonOf(cause), { cause });
  }
}

/** Reads one byte more than is allowed and no further, for any stated size of the file. */
async function readCapped(file: string): Promise<string> {
  // Without O_NONBLOCK a pipe without a writer would be waited for: it is opened, and then refused for what it is.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) throw new Error("it is not a file");
    const buffer = Buffer.alloc(maxFileBytes + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    if (length > maxFileBytes) throw new Error(`it has more than ${maxFileBytes} bytes`);
    // What PowerShell 5 writes is UTF-16, and begins so.
    const coding = { fffe: "utf-16le", feff: "utf-16be" }[buffer.toString("hex", 0, 2)] ?? "utf-8";
    return new TextDecoder(coding, { fatal: true }).decode(buffer.subarray(0, length));
  } finally {
    await handle.close();
  }
}

const reasons: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "a part of the path is a file, not a folder"],
  ["EACCES", "you may not read it"],
  ["EISDIR", "it is a folder"],
  ["ERR_ENCODING_INVALID_ENCODED_DATA", "it is not UTF-8 text"],
]);

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return reasons.get(code) ?? (cause instanceof Error ? cause.message : String(cause));
}
