import { describeJson, matcherText } from "../check/describe.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Difference } from "../model/finding.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { durationMs } from "../parse/duration.ts";
import { asMap } from "../parse/scenario.ts";
import type { StreamStep } from "./stream-step.ts";

/** `expect`: the next message that fits. What came before it is passed over, and the next wait looks behind it. */
export async function runExpect(options: ValueMap, at: StreamStep): Promise<Exchange | boolean> {
  const found = await search(options, at);
  return found === undefined ? false : found.message;
}

/** `until`: the same, and everything up to it under a name. */
export async function runUntil(options: ValueMap, at: StreamStep): Promise<Exchange | boolean> {
  const from = startOf(options, at);
  const found = await search(options, at);
  const { stream, scope } = at;
  const name = options["collect"];
  if (typeof name === "string")
    scope.collect(name, stream.messages.slice(from, found === undefined ? undefined : found.index + 1));
  return found === undefined ? false : found.message;
}

/** `collect`: all messages of a time, or those that fit. */
export async function runCollect(options: ValueMap, at: StreamStep): Promise<boolean> {
  const { stream, run, scope, step } = at;
  const from = startOf(options, at);
  await stream.next(() => false, stream.messages.length, millis(options["for"], 1000), run.signal);
  stream.assertHeard();
  const all = stream.messages.slice(from);
  const fitting = options["match"] === undefined ? all : all.filter(fits(options["match"], at));
  stream.read = stream.messages.length;
  scope.collect(String(options["as"]), fitting);
  for (const message of fitting.slice(-shownMessages)) run.trace.add(step.id ?? "collect", message);
  return true;
}

/** `none`: no such message during the time, which is that of the target. */
export async function runNone(options: ValueMap, at: StreamStep): Promise<boolean> {
  const { stream, step, run } = at;
  const from = startOf(options, at);
  const found = await stream.next(fits(options["match"], at), from, millis(options["for"], 1000), run.signal);
  stream.assertHeard();
  if (found === undefined) {
    // Silence of a connection that is gone proves nothing.
    stream.assertOpen();
    return true;
  }
  const message = stream.messages[found];
  if (message !== undefined) run.trace.add(step.id ?? "none", message);
  const shown = describeJson(message?.json);
  run.report(
    step,
    "expect",
    [
      {
        pointer: "event",
        expected: `never: ${matcherText(options["match"] ?? null)}`,
        actual: `it came: ${shown}`,
      },
    ],
    message,
  );
  return false;
}

async function search(
  options: ValueMap,
  at: StreamStep,
): Promise<{ readonly index: number; readonly message: Exchange } | undefined> {
  const { stream, step, run } = at;
  const withinMs = Math.min(
    millis(options["within"], 5000),
    Math.max(0, run.deadline - run.session.elapsed()),
  );
  const from = startOf(options, at);
  const index = await stream.next(fits(options["match"], at), from, withinMs, run.signal);
  const message = index === undefined ? undefined : stream.messages[index];
  if (index !== undefined && message !== undefined) {
    stream.read = index + 1;
    run.trace.add(step.id ?? "message", message);
    return { index, message };
  }
  stream.assertHeard();
  const passed = stream.messages.slice(from);
  for (const other of passed.slice(-shownMessages)) run.trace.add(step.id ?? "message", other);
  run.report(step, "expect", [missed(passed, withinMs, options, at)], passed.at(-1));
  return undefined;
}

const shownMessages = 8;

/** Of all that came, the message that is nearest to what was wanted, and what it lacks. */
function missed(
  passed: readonly Exchange[],
  withinMs: number,
  options: ValueMap,
  at: StreamStep,
): Difference {
  const lacks = lackingIn(options["match"], at);
  const candidates = passed.slice(-200).map(lacks);
  const [nearest] = candidates.toSorted((a, b) => a.length - b.length);
  const lack = nearest?.[0];
  const { ended } = at.stream;
  const end =
    ended === undefined
      ? ""
      : `; the connection was closed with ${ended.code} ${ended.problem ?? ended.reason}`;
  const near =
    lack === undefined
      ? ""
      : `; the nearest has ${lack.actual} at ${lack.pointer} in place of ${lack.expected}`;
  return {
    pointer: "event",
    expected: `within ${withinMs} ms: ${matcherText(options["match"] ?? null)}`,
    actual: `${passed.length} other messages${near}${end}`,
  };
}

function fits(match: Value | undefined, at: StreamStep): (message: Exchange) => boolean {
  const lacks = lackingIn(match, at);
  return (message) => lacks(message).length === 0;
}

/** Filled once: a stream may bring thousands of messages to one wait. */
function lackingIn(
  match: Value | undefined,
  { run, scope, step }: StreamStep,
): (message: Exchange) => Difference[] {
  const block = asMap(run.evaluator.expectation(match ?? {}, scope));
  return (message) => run.differences(block, scope, message, step);
}

/** From behind the last message found, from the beginning of the connection, or from what is still to come. */
function startOf({ from }: ValueMap, { stream }: StreamStep): number {
  return from === "connect" ? 0 : from === "now" ? stream.messages.length : stream.read;
}

function millis(value: Value | undefined, otherwise: number): number {
  return value === undefined ? otherwise : (durationMs(String(value)) ?? otherwise);
}
