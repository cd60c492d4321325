/** Completion for shells: the words and flags of every command, as they are in this version. */
import { Argument, type Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { knownValues, valuesOfArgument, valuesOfFlags } from "../completion-values.ts";
import { buildProgram } from "../gatewright.ts";
import { show } from "../screen.ts";

const shells = ["bash", "zsh", "fish"] as const;

export function register(program: Command): void {
  program
    .command("completion")
    .description("Print a script that completes commands and flags in your shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .action(async (shell) => {
      const places = await placesOf(program.commands.map((command) => command.name()));
      show(shell === "fish" ? fish(places) : bash(places, shell));
    });
}

interface Word {
  readonly text: string;
  readonly does: string;
}

/** What can follow words that were typed: `ctl clock` leads to the verbs of the clock. */
interface Place {
  readonly words: readonly Word[];
  /** Of its first argument. */
  readonly values: readonly string[];
  readonly ofFlags: readonly (readonly [flag: string, values: readonly string[]])[];
}
type Places = ReadonlyMap<string, Place>;

async function placesOf(names: readonly string[]): Promise<Places> {
  const places = new Map<string, Place>();
  const known = await knownValues();
  const commands: CommandUnknownOpts[] = [];
  for (const name of names) {
    const loaded = (await buildProgram([name], "")).commands.find((one) => one.name() === name);
    if (loaded !== undefined) commands.push(loaded);
  }
  const add = (
    path: string,
    below: readonly CommandUnknownOpts[],
    flags: readonly Word[],
    of?: CommandUnknownOpts,
  ): void => {
    places.set(path, {
      words: [...below.map((one) => ({ text: one.name(), does: one.description() })), ...flags],
      values: of === undefined ? [] : valuesOfArgument(path, of, known),
      ofFlags: of === undefined ? [] : valuesOfFlags(of, known),
    });
    for (const one of below) {
      const flagsOf = one.options.map(({ long, flags: both, description }) => ({
        text: long ?? both,
        does: description,
      }));
      add(
        path === "" ? one.name() : `${path} ${one.name()}`,
        one.commands,
        [...flagsOf, { text: "--help", does: "show the flags" }],
        one,
      );
    }
  };
  add("", commands, []);
  return places;
}

/** Long lists are written once, however many flags take them. `names`: how the script refers to each. */
function listsOf(places: Places, assign: (name: string, values: string) => string) {
  const lists = new Set([...places.values()].flatMap(({ ofFlags }) => ofFlags.map(([, values]) => values)));
  const long = [...lists].filter((values) => values.length > 20);
  return {
    names: new Map(long.map((values, index) => [values, `$_gatewright_${index}`])),
    written: long.map((values, index) => `${assign(`_gatewright_${index}`, values.join(" "))}\n`).join(""),
  };
}

/** zsh runs it through its own emulation of bash. Where nothing fits, the shell completes names of files. */
function bash(places: Places, shell: "bash" | "zsh"): string {
  const cases = [...places].map(
    ([path, { words, values }]) =>
      `    '${path}') words="${[...words.map(({ text }) => text), ...values].join(" ")}" ;;`,
  );
  const { names, written } = listsOf(places, (name, values) => `${name}='${values}'`);
  const flags = [...places].flatMap(([path, { ofFlags }]) =>
    ofFlags.map(
      ([flag, values]) => `    '${path} ${flag}') words="${names.get(values) ?? values.join(" ")}" ;;`,
    ),
  );
  return `${shell === "zsh" ? "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n" : ""}${written}_gatewright() {
  local word path= words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    case "\${path:+$path }$word" in
${[...places.keys()]
  .filter((path) => path !== "")
  .map((path) => `    '${path}') path='${path}' ;;`)
  .join("\n")}
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  case "$path \${COMP_WORDS[COMP_CWORD-1]}" in
${flags.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatewright gatewright
`;
}

/** One line a word, which is offered while the words before it are those of its place. */
function fish(places: Places): string {
  const { names, written } = listsOf(places, (name, values) => `set -g ${name} ${values}`);
  const lines = [...places].flatMap(([path, { words, values, ofFlags }]) => {
    const typed = path === "" ? [] : path.split(" ");
    const below = words.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text);
    const seen = typed.map((word) => `__fish_seen_subcommand_from ${word}`);
    const notYet = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(" ")}`];
    const condition = [...seen, ...notYet].join("; and ");
    const here = `complete -c gatewright -n ${quoted(condition)}`;
    const flags = new Map(
      ofFlags.map(([flag, given]) => [flag, ` -x -a ${doubly(names.get(given) ?? given.join(" "))}`]),
    );
    return [
      ...words.map(({ text, does }) =>
        text.startsWith("--")
          ? `${here} -l ${text.slice(2)}${flags.get(text) ?? ""} -d ${quoted(does)}`
          : `${here} -f -a ${text} -d ${quoted(does)}`,
      ),
      ...values.map((value) => `${here} -f -a ${value} -d value`),
    ];
  });
  return `${written}${lines.join("\n")}\n`;
}

/** What the shell unfolds when it is asked. fish writes `$(…)` as `(…)`. */
const doubly = (text: string): string => `"${text.replace("$(", "(")}"`;

const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;
