/** Servers under measurement run in processes of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface RunningServer {
  readonly port: number;
  readonly child: ChildProcess;
}

export function startServer(script: string, args: readonly string[] = []): Promise<RunningServer> {
  const file = fileURLToPath(new URL(`../servers/${script}.js`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      const end = text.indexOf("\n");
      if (end >= 0) resolve({ port: (JSON.parse(text.slice(0, end)) as { port: number }).port, child });
    });
    child.on("exit", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
}
