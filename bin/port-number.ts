import { InvalidArgumentError } from "@commander-js/extra-typings";

/** A port of a flag; 0 is any free one. */
export function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError("expected a port between 0 and 65535");
  return Number(text);
}
