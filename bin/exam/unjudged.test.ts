import { expect, it } from "vitest";
import { end, evidence, sent, situation } from "./testing/evidence.ts";
import { whyNotShown, whyUnjudged } from "./unjudged.ts";

const listening = { ...situation, task: "follow", seconds: 5 } as const;
const listened = { ...end, durationMs: 5200 };

it.each([
  ["a client that listened long enough", { situation: listening, end: listened, quietMs: 2100 }, undefined],
  ["news just before its end", { situation: listening, end: listened, quietMs: 1900 }, /too slow/],
  ["news after its end", { situation: listening, end: listened, quietMs: -Infinity }, /too slow/],
  [
    "a client that ends early",
    { situation: listening, end: { ...end, durationMs: 300 }, quietMs: 40 },
    undefined,
  ],
  [
    "a client that listened when all had happened",
    { situation: listening, end: listened, quietMs: 2100, listenedLate: true },
    /too slow/,
  ],
  ["a task without seconds", { quietMs: 0 }, undefined],
  ["an exam that is interrupted", { end: { ...end, kind: "interrupted" } }, /interrupted/],
] as const)("tells what a client can be judged by: %s", (_, more, why) => {
  const said = whyUnjudged(evidence(more));
  if (why === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(why);
});

const troubled = { ...situation, faults: [{ id: "trouble", fault: { kind: "delay", ms: 1 } }] } as const;

it.each([
  ["a situation without faults", evidence(), undefined],
  [
    "a fault that met a request",
    evidence({ situation: troubled, sent: [sent({ faults: ["trouble"] })] }),
    undefined,
  ],
  ["a fault that met none", evidence({ situation: troubled }), /no request that would have met/],
])("tells what a client was shown: %s", (_, one, why) => {
  const said = whyNotShown(one);
  if (why === undefined) expect(said).toBeUndefined();
  else expect(said).toMatch(why);
});
