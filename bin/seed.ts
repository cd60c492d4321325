import { InvalidArgumentError } from "@commander-js/extra-typings";

/** A seed of the simulator, for the flag of every command that takes one. */
export function readSeed(text: string): number {
  const seed = /^[0-9]{1,10}$/.test(text) ? Number(text) : -1;
  if (seed < 0 || seed > 4_294_967_295)
    throw new InvalidArgumentError("It must be a whole number from 0 to 4294967295.");
  return seed;
}
