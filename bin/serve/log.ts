/** What a venue in the foreground says on stderr: its notices, and each request. */
import type { RequestLine } from "../../simulator/index.ts";
import { hangingLines, jsonText, tell } from "../screen.ts";

export const logForms = ["pretty", "json", "off"] as const;
export const logLevels = ["notices", "requests"] as const;

type LogForm = (typeof logForms)[number];

/** One venue runs in a process, and its notices have one form. */
let form: LogForm = "pretty";

export function setLogForm(chosen: LogForm): void {
  form = chosen;
}

export function say(sentence: string): void {
  if (form === "pretty") tell(`gatewright: ${hangingLines(sentence)}\n`);
  if (form === "json") tell(`${jsonText({ time: new Date().toISOString(), message: sentence })}\n`);
}

export function sayRequest(line: RequestLine): void {
  if (form === "json") return tell(`${jsonText(line)}\n`);
  const { time, status, method, path, ms, key, world, id, code } = line;
  const owner = [key ?? "no known key", ...(world === "main" ? [] : [world])].join("@");
  const refused = code === null ? "" : ` ${code}`;
  tell(`${time.slice(11, 23)} ${status || "---"} ${method} ${path}${refused} ${ms} ms ${owner} ${id}\n`);
}
