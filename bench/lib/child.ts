/** Servers under measurement run in processes of their own; their half of this is `ready.ts`. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface RunningServer {
  readonly port: number;
  readonly child: ChildProcess;
  /** CPU time of the whole process so far, in microseconds. */
  readonly cpuMicros: () => Promise<number>;
}

export async function startServer(script: string, args: readonly string[] = []): Promise<RunningServer> {
  const file = fileURLToPath(new URL(`../servers/${script}.js`, import.meta.url));
  const child = fork(file, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  child.once("exit", (code) => {
    if (code !== null) throw new Error(`${script} ended with ${code}`);
  });
  const ask = async (): Promise<number> => Number((await once(child, "message"))[0]);
  const port = await ask();
  const cpuMicros = (): Promise<number> => {
    child.send("cpu");
    return ask();
  };
  return { port, child, cpuMicros };
}
