import type { Command } from "@commander-js/extra-typings";

export type CommandEntry = Readonly<{
  name: string;
  /** The line in `gatewright --help`, known without loading the command. */
  summary: string;
  load: () => Promise<CommandModule>;
}>;

export type CommandModule = Readonly<{ register: (program: Command) => void }>;

/** In the order of the help text. Each is loaded only when it runs: `serve` never pays for what `conform` needs. */
export const commands: readonly CommandEntry[] = [
  { name: "serve", summary: "Start the simulator: the whole gateway on this machine", load: () => import("./commands/serve.ts") },
];
