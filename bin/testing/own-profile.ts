import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { environmentOf, packageRoot, readProfileFile, readReadyFile } from "../../conformance/commands.ts";
import type { Simulator } from "../../simulator/index.ts";

export type Change = (text: string) => string;

/** The profile of our own simulator for one that runs, as a file with changes, and as the kit reads it. */
export async function ownProfile(simulator: Simulator, change: Change) {
  const folder = await mkdtemp(path.join(tmpdir(), "gatewright-"));
  const ready = path.join(folder, "ready.json");
  await writeFile(ready, JSON.stringify(simulator.readyLine()));
  const environment = environmentOf(await readReadyFile(ready));
  const own = await readFile(path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml"), "utf8");
  const file = path.join(folder, "profile.yaml");
  await writeFile(file, change(own));
  return { file, environment, read: await (await readProfileFile(file))(environment) };
}
