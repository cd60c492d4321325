/** Runs the launcher as a person would, to its end. */
import { spawn } from "node:child_process";
import process from "node:process";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `launcher` is the path of a checkout's `bin/gatewright`; `environment` is added to ours; `heard` sees all of stderr so far. */
export function launch(
  launcher: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  heard: (stderr: string) => void = () => undefined,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [launcher, ...args], { env: { ...process.env, ...environment } });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (text) => (stdout += String(text)));
    child.stderr.on("data", (text) => heard((stderr += String(text))));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}
