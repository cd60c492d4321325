/** How the values of flags are read, and the type of a command's flags. */
import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { CommandFailure } from "./command-failure.ts";

/** The flags of a command, as its declarations make them. */
export type FlagsOf<Declare> = Declare extends (program: Command) => Command<infer _Args, infer Flags>
  ? Readonly<Flags>
  : never;

export const wholeNumber =
  (least = 0, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    const bounds = most === Number.MAX_SAFE_INTEGER ? `, ${least} or more` : ` from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number${bounds}.`);
  };

/** A seed of the simulator. */
export const readSeed = wholeNumber(0, 4_294_967_295);
/** 0 is any free one. */
export const portNumber = wholeNumber(0, 65_535);

/** The secret named on the command line: only ever the name of a variable, because arguments are public. */
export function secretFrom(variable: string): string {
  const secret = process.env[variable];
  if (secret === undefined || secret === "")
    throw new CommandFailure(
      `the environment variable ${variable} is ${secret === "" ? "set, and empty" : "not set"}`,
    );
  return secret;
}

/** Several values in one, with commas between them: a variable of the environment has no other way. */
export const eachIn =
  (read: (value: string, earlier: string[]) => string[]) =>
  (text: string, earlier: string[]): string[] =>
    text.split(",").reduce((all, value) => read(value.trim(), all), earlier);

/** Of a flag that can be repeated. */
export function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
