/** `gatewright ctl`: the controls of a running sandbox on the command line, from the declarations of the simulator. */
import { type Command, Option } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { type ControlVerb, controlVerbs, readWorldFile } from "../../simulator/index.ts";
import { record, text } from "../answer-shape.ts";
import { CommandFailure } from "../command-failure.ts";
import {
  type Access,
  type AccessFlags,
  type Asked,
  accessIn,
  answerOf,
  readAnswer,
  withAccessFlags,
  worldPath,
} from "../control-access.ts";
import { jsonText, show, tell } from "../screen.ts";
import { standardInput } from "../standard-input.ts";

export function register(program: Command): void {
  const ctl = withAccessFlags(
    program
      .command("ctl")
      .description("Control a running sandbox: the one of this folder, unless --ready-file names another."),
  )
    .option("--world <name>", "the world to control; default: main")
    .option("--json", "print the answer as one line of JSON");
  for (const verb of controlVerbs()) addVerb(ctl as unknown as Command, verb, () => ctl.opts());
}

function addVerb(ctl: Command, verb: ControlVerb, flagsOf: () => Flags): void {
  // `clock advance` is a command below `clock`, which may be a verb itself.
  const command = verb.words.split(" ").reduce<Command>((above, word) => {
    const known = above.commands.find((one) => one.name() === word);
    return (known ?? above.command(word)) as unknown as Command;
  }, ctl);
  command.description(verb.summary);
  if (verb.joined) command.argument(`<${verb.args.map(({ shown }) => shown).join("=")}>`);
  else for (const { shown, description } of verb.args) command.argument(`<${shown}>`, description);
  if (verb.file) command.argument("<file>", "a file with the body as JSON; - for standard input");
  const flags = verb.flags.map(({ name, shown, description, required }) => {
    const option = new Option(`--${shown} <value>`, description).makeOptionMandatory(required);
    command.addOption(option);
    return { name, key: option.attributeName() };
  });
  command.action(async (...given: readonly unknown[]) => {
    // as: commander hands over the arguments, then the flags, then the command.
    const words = given.slice(0, -2) as readonly string[];
    const texts = verb.joined ? partsOf(verb, words[0] ?? "") : words;
    const chosen = given.at(-2) as Readonly<Record<string, string>>;
    const values = Object.fromEntries([
      ...flags.flatMap(({ name, key }) => (chosen[key] === undefined ? [] : [[name, chosen[key]] as const])),
      ...verb.args.map(({ name }, index) => [name, texts[index] ?? ""] as const),
    ]);
    const mistake = verb.mistakeIn(values);
    if (mistake !== undefined) throw new CommandFailure(`gatewright ctl ${verb.usage}: ${mistake}`);
    const { path, body } = await callOf(verb, values);
    const common = flagsOf();
    const access = await accessIn(common);
    const sent = verb.file ? await jsonIn(texts.at(-1) ?? "") : body;
    const below = verb.ofWorlds ? "" : worldPath(common.world);
    const asked = { method: verb.method, path: below + path, body: sent };
    const shown = await (path === "/clock" && body !== undefined
      ? moveOf(access, asked)
      : answerOf(access, asked));
    show(`${common.json === true ? jsonText(shown) : JSON.stringify(shown, undefined, 2)}\n`);
  });
}

/** How often the time that a move of the clock has reached is shown. */
const betweenTimesMs = 5000;

/** A move may take long, and ends when the command does. */
async function moveOf(access: Access, asked: Asked): Promise<unknown> {
  const tellTime = async (): Promise<void> => {
    const clock = await readAnswer(access, { path: asked.path }, record({ now: text }));
    tell(`gatewright ctl: the market clock has reached ${clock.now}\n`);
  };
  const timer = setInterval(() => void tellTime().catch(() => undefined), betweenTimesMs);
  try {
    return await answerOf(access, { ...asked, isPatient: true });
  } finally {
    clearInterval(timer);
  }
}

type Values = Readonly<Record<string, string>>;

function partsOf({ usage }: ControlVerb, text: string): readonly string[] {
  const at = text.indexOf("=");
  if (at < 1 || at === text.length - 1)
    throw new CommandFailure(`gatewright ctl ${usage}: write both with an equals sign between, was ${text}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** `world new NAME --from FILE`: a file is what no name of a world can be. It is read and checked here. */
async function callOf(verb: ControlVerb, values: Values): Promise<ReturnType<ControlVerb["call"]>> {
  const { from = "", ...others } = values;
  if (verb.words !== "world new" || !/[./\\]/.test(from)) return verb.call(values);
  const { path, body } = verb.call(others);
  const world = await readWorldFile(from);
  return { path, body: { ...body, world } };
}

interface Flags extends AccessFlags {
  readonly world?: string | undefined;
  readonly json?: true | undefined;
}

async function jsonIn(file: string): Promise<unknown> {
  const most = kit.mostBytes.small;
  const bytes =
    file === "-"
      ? await standardInput("the body cannot be read", most)
      : await kit.readBytesCapped("body file", file, most);
  try {
    return JSON.parse(kit.textIn(bytes)) as unknown;
  } catch (error) {
    throw new CommandFailure(`${kit.printable(file)} is not JSON: ${(error as Error).message}`);
  }
}
