/** Rules about how the program of a client behaves: how it ends, and what it gives away. */
import { mostOutput } from "../../client-process.ts";
import type { Evidence } from "../evidence.ts";
import { type Breach, breachesIf, type Rule, seconds } from "./rule.ts";

const keepsTheSecret: Rule = {
  id: "EX-10",
  level: "required",
  basis: "credential",
  statement: "The secret is in no URL, header, body or output of the client.",
  judge: ({ sent, end, secrets }) => [
    ...sent
      .filter(({ target, headers, text }) => secrets.finds([target, ...headers.flat(), text].join("\n")))
      .map((request) => ({
        expected: "a request without the secret",
        actual: "the secret is in it",
        request,
      })),
    ...(["stdout", "stderr"] as const)
      .filter((name) => secrets.finds(end[name]))
      .map((name) => ({ expected: `${name} without the secret`, actual: "the secret is in it" })),
  ],
};

const endsWell: Rule = {
  id: "EX-14",
  level: "required",
  basis: "stated",
  statement:
    "The client ends by itself and in time, with 0 after one JSON line that fits its task, or with 3 when it knows that it cannot know.",
  judge: ({ end, said, situation: { seconds: asked = 0 } }) => {
    const how = endShown(end) ?? tooEarly(end, asked);
    if (how !== undefined) return [{ expected: "an end in its time with exit code 0 or 3", actual: how }];
    if (end.code === 3 || said.kind !== "nothing") return [];
    return [{ expected: "one JSON line about the task", actual: said.why }];
  },
};

function endShown({ kind, code, signal, durationMs, stderr }: Evidence["end"]): string | undefined {
  switch (kind) {
    case "hung":
      return `it had not ended after ${seconds(durationMs)}, and was ended`;
    case "flooded":
      return `it printed more than ${mostOutput} bytes, and was ended`;
    case "interrupted":
      return "it was ended, because the exam was";
    case "signalled":
      return `it was ended by ${signal}`;
    case "exited":
      if (code === 0 || code === 3) return undefined;
      return `it ended with exit code ${code}: ${stderr.trimEnd().split("\n").at(-1) ?? ""}`.slice(0, 400);
  }
}

/** A second may begin before the program does. */
const toleranceMs = 500;

const tooEarly = ({ durationMs }: Evidence["end"], asked: number): string | undefined =>
  durationMs >= asked * 1000 - toleranceMs
    ? undefined
    : `it ended after ${seconds(durationMs)}, and its task is to follow the stream for ${asked} s`;

const doesNotGiveUp: Rule = {
  id: "EX-13",
  level: "recommended",
  basis: "stated",
  statement: "The client does not end with 3: in every situation the gateway answers in the end.",
  judge: ({ end }) =>
    breachesIf(end.code === 0 || end.code === 3, (): Breach[] =>
      end.code === 0
        ? []
        : [{ expected: "exit code 0: the gateway answers in the end", actual: "exit code 3" }],
    ),
};

const leavesNothing: Rule = {
  id: "EX-16",
  level: "recommended",
  basis: "stated",
  statement: "When the client has ended, nothing that it started is running.",
  judge: ({ end: { kind, leftRunning } }) =>
    breachesIf(kind === "exited", () =>
      leftRunning === 0 ? [] : [{ expected: "no process", actual: `${leftRunning} still there, and ended` }],
    ),
};

export const conductRules: readonly Rule[] = [keepsTheSecret, doesNotGiveUp, endsWell, leavesNothing];
