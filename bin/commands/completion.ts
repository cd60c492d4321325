/** Completion for shells: the words and flags of every command, as they are in this version. */
import { Argument, type Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
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
type Places = ReadonlyMap<string, readonly Word[]>;

async function placesOf(names: readonly string[]): Promise<Places> {
  const places = new Map<string, readonly Word[]>();
  const commands: CommandUnknownOpts[] = [];
  for (const name of names) {
    const loaded = (await buildProgram([name], "")).commands.find((one) => one.name() === name);
    if (loaded !== undefined) commands.push(loaded);
  }
  const add = (path: string, below: readonly CommandUnknownOpts[], flags: readonly Word[]): void => {
    places.set(path, [...below.map((one) => ({ text: one.name(), does: one.description() })), ...flags]);
    for (const one of below) {
      const flagsOf = one.options.map(({ long, flags: both, description }) => ({
        text: long ?? both,
        does: description,
      }));
      add(path === "" ? one.name() : `${path} ${one.name()}`, one.commands, [
        ...flagsOf,
        { text: "--help", does: "show the flags" },
      ]);
    }
  };
  add("", commands, []);
  return places;
}

/** zsh runs it through its own emulation of bash. Where nothing fits, the shell completes names of files. */
function bash(places: Places, shell: "bash" | "zsh"): string {
  const cases = [...places].map(
    ([path, words]) => `    '${path}') words='${words.map(({ text }) => text).join(" ")}' ;;`,
  );
  return `${shell === "zsh" ? "autoload -U +X compinit bashcompinit && compinit && bashcompinit\n" : ""}_gatewright() {
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
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _gatewright gatewright
`;
}

/** One line a word, which is offered while the words before it are those of its place. */
function fish(places: Places): string {
  const lines = [...places].flatMap(([path, words]) => {
    const typed = path === "" ? [] : path.split(" ");
    const below = words.filter(({ text }) => !text.startsWith("-")).map(({ text }) => text);
    const seen = typed.map((word) => `__fish_seen_subcommand_from ${word}`);
    const notYet = below.length === 0 ? [] : [`not __fish_seen_subcommand_from ${below.join(" ")}`];
    const condition = [...seen, ...notYet].join("; and ");
    return words.map(
      ({ text, does }) =>
        `complete -c gatewright -n ${quoted(condition)} ${text.startsWith("--") ? `-l ${text.slice(2)}` : `-f -a ${text}`} -d ${quoted(does)}`,
    );
  });
  return `${lines.join("\n")}\n`;
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, "\\$&")}'`;
