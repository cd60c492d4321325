import { describeJson, matcherText } from "../../check/describe.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Difference } from "../../model/finding.ts";
import type { Expectation } from "../../model/language.ts";
import {
  asJson,
  type CollectMessages,
  type ExpectMessage,
  type NoMessage,
  type UntilMessage,
  type WaitFrom,
} from "../../model/step.ts";
import type { StreamAt } from "../send/stream-step.ts";

/** `expect`: the next matching message. Messages before it are skipped, and the next wait starts after it. */
export async function runExpect(wait: ExpectMessage, at: StreamAt): Promise<Exchange | boolean> {
  const found = await search(wait, at);
  return found === undefined ? false : found.message;
}

/** `until`: the same, and collects all messages up to it under a name. */
export async function runUntil(wait: UntilMessage, at: StreamAt): Promise<Exchange | boolean> {
  const from = startOf(wait, at);
  const found = await search(wait, at);
  const { stream, scope } = at;
  if (wait.collect !== undefined)
    scope.collect(
      wait.collect,
      stream.messages.slice(from, found === undefined ? undefined : found.index + 1),
    );
  return found === undefined ? false : found.message;
}

/** `collect`: all messages of a time, or the matching ones. */
export async function runCollect(wait: CollectMessages, at: StreamAt): Promise<boolean> {
  const { stream, run, scope, step } = at;
  const from = startOf(wait, at);
  await stream.next(() => false, stream.messages.length, wait.forMs, run.signal);
  stream.assertHeard();
  const all = stream.messages.slice(from);
  const fitting = wait.match === undefined ? all : all.filter(fits(wait.match, at));
  stream.read = stream.messages.length;
  scope.collect(wait.as, fitting);
  for (const message of fitting.slice(-shownMessages)) run.trace.add(step.id ?? "collect", message);
  return true;
}

/** `none`: no such message during the time, which is real time. */
export async function runNone(wait: NoMessage, at: StreamAt): Promise<boolean> {
  const { stream, step, run } = at;
  const from = startOf(wait, at);
  const found = await stream.next(fits(wait.match, at), from, wait.forMs, run.signal);
  stream.assertHeard();
  if (found === undefined) {
    // Silence on a closed connection proves nothing.
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
        expected: `never: ${matcherText(asJson(wait.match))}`,
        actual: `it came: ${shown}`,
      },
    ],
    message,
  );
  return false;
}

async function search(
  wait: ExpectMessage,
  at: StreamAt,
): Promise<{ readonly index: number; readonly message: Exchange } | undefined> {
  const { stream, step, run } = at;
  const withinMs = Math.min(wait.withinMs, Math.max(0, run.deadline - run.session.elapsed()));
  const from = startOf(wait, at);
  const index = await stream.next(fits(wait.match, at), from, withinMs, run.signal);
  const message = index === undefined ? undefined : stream.messages[index];
  if (index !== undefined && message !== undefined) {
    stream.read = index + 1;
    run.trace.add(step.id ?? "message", message);
    return { index, message };
  }
  stream.assertHeard();
  if (withinMs < wait.withinMs) throw run.tooLong();
  const passed = stream.messages.slice(from);
  for (const other of passed.slice(-shownMessages)) run.trace.add(step.id ?? "message", other);
  run.report(step, "expect", [missed(passed, withinMs, wait, at)], passed.at(-1));
  return undefined;
}

const shownMessages = 8;

/** Of all received messages the one closest to the expectation, with its differences. */
function missed(
  passed: readonly Exchange[],
  withinMs: number,
  wait: ExpectMessage,
  at: StreamAt,
): Difference {
  const lacks = lackingIn(wait.match, at);
  const candidates = passed.slice(-200).map(lacks);
  const [nearest] = candidates.toSorted((a, b) => a.length - b.length);
  const lack = nearest?.[0];
  const end = at.stream.endText;
  const near =
    lack === undefined
      ? ""
      : `; the nearest has ${lack.actual} at ${lack.pointer} in place of ${lack.expected}`;
  return {
    pointer: "event",
    expected: `within ${withinMs} ms: ${matcherText(asJson(wait.match))}`,
    actual: `${passed.length} other messages${near}${end}`,
  };
}

function fits(match: Expectation, at: StreamAt): (message: Exchange) => boolean {
  const lacks = lackingIn(match, at);
  return (message) => lacks(message).length === 0;
}

/** Filled once, because one wait may receive thousands of messages. */
function lackingIn(match: Expectation, { run, scope, step }: StreamAt): (message: Exchange) => Difference[] {
  const block = run.evaluator.expectation(match, scope);
  return (message) => run.differences(block, scope, message, step);
}

/** The start of a wait: after the last message found, at the beginning of the connection, or at new messages. */
function startOf({ from }: { readonly from: WaitFrom }, { stream }: StreamAt): number {
  return from === "connect" ? 0 : from === "now" ? stream.messages.length : stream.read;
}
