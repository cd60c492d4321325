/** Capsules of tests: taken from a sandbox, unfolded, changed, and replayed. */
import { gunzipSync, gzipSync } from "node:zlib";
import { openCapsule, type Simulator } from "../../index.ts";
import type { CapsuleReplay } from "../replay-capsule.ts";

export async function capsuleOf({ control }: Pick<Simulator, "control">): Promise<Buffer> {
  if (control === null) throw new Error("there is no control surface");
  return Buffer.from((await control.capsule.read()).file, "base64");
}

export const linesOf = (file: Buffer): string[] => gunzipSync(file).toString("utf8").trimEnd().split("\n");

export const packed = (lines: readonly string[]): Buffer => gzipSync(`${lines.join("\n")}\n`);

/** The line at `at` with `from` in it replaced. */
export function changed(lines: readonly string[], at: number, from: string | RegExp, to: string): Buffer {
  const line = lines.at(at) ?? "";
  const other = line.replace(from, to);
  if (other === line) throw new Error(`nothing to change in ${line}`);
  return packed(lines.with(at, other));
}

/** To its end. */
export async function replayed(file: Buffer): Promise<CapsuleReplay> {
  const replay = (await openCapsule(file, "a.capsule")).replay();
  while (replay.next() !== undefined);
  return replay;
}
