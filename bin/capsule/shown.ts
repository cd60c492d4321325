/** A replay of a capsule as text. */

import * as kit from "../../conformance/commands.ts";
import type { CapsuleDifference, CapsuleReplay, ReplayedEntry } from "../../simulator/index.ts";

/** The characters of two texts that are shown, from a little before their first difference. */
const before = 60;
const after = 240;

export function verdictText(replay: CapsuleReplay): string {
  const { difference } = replay;
  const reached = `${kit.counted(replay.entries, "entry", "entries")}, ${kit.counted(replay.answers, "answer")}`;
  const head = difference === null ? `identical: ${reached}\n` : differenceText(difference);
  return head + uncomparedText(replay);
}

function differenceText({ entry, what, recorded, now }: CapsuleDifference): string {
  let same = 0;
  while (same < recorded.length && recorded[same] === now[same]) same += 1;
  const start = same > before + 20 ? same - before : 0;
  const part = (text: string): string => {
    const end = start + before + after;
    return `${start > 0 ? "…" : ""}${kit.printable(text.slice(start, end))}${text.length > end ? "…" : ""}`;
  };
  const shownWhat = kit.printable(what.slice(0, after));
  return `differs at entry ${entry}: ${shownWhat}\n  recorded  ${part(recorded)}\n  now       ${part(now)}\n`;
}

function uncomparedText({ uncompared }: CapsuleReplay): string {
  let sum = 0;
  for (const count of uncompared.values()) sum += count;
  if (sum === 0) return "";
  const lines = [...uncompared].map(([why, count]) => `  ${String(count).padStart(5)}  ${why}\n`);
  return `not compared: ${kit.counted(sum, "answer")}\n${lines.join("")}`;
}

export function entryText({ entry, events, exchanges }: ReplayedEntry): string {
  const { seq, at, kind, command } = entry;
  const asked = exchanges.map(
    ({ id, key, method, target, status, code }) =>
      `  ${id}  ${key ?? "-"}  ${method} ${target} → ${status}${code === null ? "" : ` ${code}`}`,
  );
  const lines = [
    ...asked,
    `entry ${seq}  ${timeText(at)}  ${kind} ${shortened(command)}`,
    ...events.slice(0, mostEvents).map(({ kind: name, ...members }) => `    ${name}${membersText(members)}`),
    ...(events.length > mostEvents ? [`    … and ${events.length - mostEvents} more`] : []),
  ];
  return `${lines.map((line) => kit.printable(line)).join("\n")}\n`;
}

/** A refresh of the synthetic market has many levels. */
const mostEvents = 12;
const shortened = (text: string): string => (text.length > after ? `${text.slice(0, after)}…` : text);

/** A capsule of anybody may name a time that no calendar has. */
function timeText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString();
}

const membersText = (members: object): string =>
  Object.entries(members)
    .map(([name, value]: [string, unknown]) => ` ${name}=${valueText(value)}`)
    .join("");

const valueText = (value: unknown): string =>
  typeof value === "string"
    ? value
    : JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one));
