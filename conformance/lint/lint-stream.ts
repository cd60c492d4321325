import { channelNames } from "../contract/stream-dialect.ts";
import { isOpen } from "../model/expr.ts";
import type { Unsubscribe } from "../model/language.ts";
import type { Path } from "../model/position.ts";
import type { StreamAction } from "../model/step.ts";
import { didYouMean } from "../model/suggest.ts";
import type { MatcherLint } from "./lint-matcher.ts";
import type { LintProblems } from "./lint-problems.ts";

/** Checks the parts of a `ws` step that the schema cannot check: matchers, and names of channels. */
export function lintStream(
  action: StreamAction,
  path: Path,
  problems: LintProblems,
  matchers: MatcherLint,
): void {
  const at = [...path, action.kind];
  if ("match" in action) matchers.expectation(action.match, [...at, "match"]);
  if (action.kind === "subscribe") lintChannel(action.subscribe, at, problems);
  if (action.kind === "unsubscribe") lintChannel(action.unsubscribe, at, problems);
}

function lintChannel({ channel, name }: Unsubscribe, path: Path, problems: LintProblems): void {
  if ((channel === undefined) === (name === undefined))
    problems.say(path, "a subscription names a channel (the kit's word) or a name (the target's own)");
  if (typeof channel !== "string" || isOpen(channel) || channel.startsWith("x-")) return;
  if (channelNames.some((known) => known === channel)) return;
  const hint = didYouMean(channel, channelNames) ?? `known: ${channelNames.join(", ")}`;
  problems.say([...path, "channel"], `there is no channel "${channel}"`, hint);
}
