/** Opens a page in the browser of the person who asked for it. */
import { spawn } from "node:child_process";
import process from "node:process";

const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  // The empty text is the title of the window: the first text in quotes would be taken for it.
  win32: ["cmd", "/c", "start", ""],
};

/** `onFailure` hears why no browser opens. The address is a whole argument, never a part of a command line. */
export function openPage(address: string, onFailure: (sentence: string) => void): void {
  const [program = "xdg-open", ...args] = openers[process.platform] ?? [];
  const child = spawn(program, [...args, address], { stdio: "ignore", detached: true });
  child.once("error", () => onFailure(`no browser can be opened from here (${program}): open ${address}`));
  child.unref();
}
