/** Against what candidates are tried: simulators of our own, a new one for each, or a target that runs. */
import type { ShrinkQuestion, ShrinkTarget } from "../../conformance/commands.ts";
import * as kit from "../../conformance/commands.ts";
import { startSimulator } from "../../simulator/index.ts";
import { CommandFailure } from "../command-failure.ts";
import { readyFileFor } from "../run-file.ts";
import { type TargetFlags, targetOf } from "../target-flags.ts";

export interface ShrinkFlags extends TargetFlags {
  readonly violates?: string | undefined;
  readonly defect: readonly string[];
  readonly world?: string | undefined;
}

export async function questionOf(flags: ShrinkFlags): Promise<ShrinkQuestion> {
  const { violates, defect: defects, world, target, keyId, secretEnv, profile, readyFile } = flags;
  const isNamed = [target, keyId, secretEnv, profile, readyFile].some((flag) => flag !== undefined);
  const isOwn = defects.length > 0 || world !== undefined;
  if (isOwn && isNamed)
    throw new CommandFailure("--defect and --world start new simulators: leave them out, or the target");
  if (isOwn || (!isNamed && readyFileFor(undefined, []) === undefined)) {
    const open = await freshSimulator(defects, world);
    // A wrong bug or world is told before anything else is.
    if (isOwn) await (await open())[Symbol.asyncDispose]();
    const openClean = defects.length === 0 ? undefined : await freshSimulator([], world);
    return { kind: "target", violates, open, openClean };
  }
  const named = await kit.profileOf(await targetOf(flags));
  const open = (): Promise<ShrinkTarget> =>
    Promise.resolve({ profile: named, [Symbol.asyncDispose]: () => Promise.resolve() });
  const isOurs = target === undefined && profile === undefined;
  return {
    kind: "target",
    violates,
    open,
    openClean: isOurs ? await freshSimulator([], undefined) : undefined,
  };
}

/** Nothing has happened in it, and nobody else uses it, so requests follow each other as fast as they are answered. */
async function freshSimulator(
  defects: readonly string[],
  world: string | undefined,
): Promise<() => Promise<ShrinkTarget>> {
  const profileFor = await kit.readProfileFile(`${kit.packageRoot()}/fixtures/profiles/simulator.yaml`);
  return async () => {
    const simulator = await startSimulator({
      defects,
      exchanges: false,
      ...(world === undefined ? {} : { world }),
    });
    const profile = await profileFor(kit.environmentOf(simulator.readyLine()));
    const { safety } = profile;
    return {
      profile: { ...profile, safety: { ...safety, budget: { ...safety.budget, rps: Infinity } } },
      [Symbol.asyncDispose]: () => simulator.close(),
    };
  };
}
