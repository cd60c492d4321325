import { channelNames } from "../contract/stream-dialect.ts";
import { isMap, type ValueMap } from "../model/value.ts";
import type { Path } from "../parse/source.ts";
import { didYouMean } from "../parse/suggest.ts";
import type { MatcherLint } from "./lint-matcher.ts";
import type { LintProblems } from "./lint-problems.ts";

const actions = [
  "connect",
  "subscribe",
  "unsubscribe",
  "send",
  "frames",
  "expect",
  "until",
  "collect",
  "none",
  "close",
  "closed",
] as const;

/** What the schema cannot say of a `ws` step: names of channels, matchers, one action each. */
export function lintStream(step: ValueMap, path: Path, problems: LintProblems, matchers: MatcherLint): void {
  const named = actions.filter((action) => step[action] !== undefined);
  if (named.length !== 1)
    problems.say(
      path,
      `a ws step does one of ${actions.join(", ")}; this one does ${named.join(" and ") || "none"}`,
    );
  for (const action of named) {
    const argument = step[action];
    if (!isMap(argument)) continue;
    const at = [...path, action];
    matchers.expectation(argument["match"], [...at, "match"]);
    if (action === "subscribe" || action === "unsubscribe") lintChannel(argument, at, problems);
  }
}

function lintChannel({ channel, name }: ValueMap, path: Path, problems: LintProblems): void {
  if ((channel === undefined) === (name === undefined))
    problems.say(path, "a subscription names a channel (the kit's word) or a name (the target's own)");
  if (typeof channel !== "string" || channel.includes("${") || channel.startsWith("x-")) return;
  if (channelNames.some((known) => known === channel)) return;
  const hint = didYouMean(channel, channelNames) ?? `known: ${channelNames.join(", ")}`;
  problems.say([...path, "channel"], `there is no channel "${channel}"`, hint);
}
