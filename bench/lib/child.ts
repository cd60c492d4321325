/** Servers under measurement run in processes of their own; their half of this is `ready.ts`. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface RunningServer {
  readonly port: number;
  readonly child: ChildProcess;
  /** CPU time of the whole process so far, in microseconds. */
  readonly cpuMicros: () => Promise<number>;
  /** After a collection, where the process was started with --expose-gc. */
  readonly memory: () => Promise<NodeJS.MemoryUsage>;
}

export async function startServer(
  script: string,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
): Promise<RunningServer> {
  const file = fileURLToPath(new URL(`../servers/${script}.js`, import.meta.url));
  const child = fork(file, args, {
    execArgv: [...process.execArgv, ...execArgv],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.once("exit", (code) => {
    if (code !== null) throw new Error(`${script} ended with ${code}`);
  });
  const heard = async (): Promise<unknown> => (await once(child, "message"))[0];
  const ask = (what: "cpu" | "memory"): Promise<unknown> => {
    child.send(what);
    return heard();
  };
  const port = Number(await heard());
  return {
    port,
    child,
    cpuMicros: async () => Number(await ask("cpu")),
    // as: what `ready.ts` sends.
    memory: async () => (await ask("memory")) as NodeJS.MemoryUsage,
  };
}
