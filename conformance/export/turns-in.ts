import { counted } from "../model/counted.ts";
import type { Recording } from "../recording/read-recording.ts";
import type { RecordedExchange } from "../recording/recording.ts";
import { gapsIn } from "./gaps.ts";
import { withBody } from "./rebuilt.ts";
import { type Operations, paramsIn, type Turn, turnOf } from "./turn.ts";

/** The requests of a recording that a scenario can have, and in sentences what of the recording they are not. */
export function turnsIn(
  recording: Recording,
  basePath: string,
  operations: Operations,
): { readonly turns: readonly Turn[]; readonly remarks: readonly string[] } {
  const { exchanges } = recording;
  const asked = exchanges.filter(({ request }) => request.method !== "OPTIONS");
  const below = (base: string): Turn[] =>
    asked.flatMap((one) => turnOf(one, base, operations, recording) ?? []);
  const named = below(basePath);
  const other = named.length === 0 ? likelyBase(asked, operations) : undefined;
  const turns = (other === undefined ? named : below(other)).map(withBody);
  const preflights = exchanges.length - asked.length;
  const elsewhere = asked.length - turns.length;
  const remarks = [
    ...(preflights === 0 ? [] : [`${counted(preflights, "preflight")} of a browser (OPTIONS): left out`]),
    ...(other === undefined
      ? []
      : [`no request is below ${basePath}: those below ${other || "/"} are taken for its own`]),
    ...(elsewhere === 0
      ? []
      : [`${counted(elsewhere, "request")} went elsewhere than below ${other ?? basePath}: left out`]),
    ...gapsIn(turns),
  ];
  return { turns, remarks };
}

/**
 * The path before those of operations, for most of the requests: a gateway may stand below another one than its profile says.
 * Undefined if no request is one of an operation.
 */
function likelyBase(exchanges: readonly RecordedExchange[], operations: Operations): string | undefined {
  const counts = new Map<string, number>();
  const known = Object.values(operations).flatMap((one) => (one === "absent" ? [] : [one]));
  for (const { request } of exchanges) {
    const segments = (request.target.split("?")[0] ?? "").split("/").slice(1);
    const bases = known.flatMap(({ method, path }) => {
      const length = (path.split("?")[0] ?? "").split("/").length - 1;
      const [before, own] = [segments.slice(0, -length), segments.slice(-length)];
      const isIt =
        method === request.method && paramsIn(path.split("?")[0] ?? "", `/${own.join("/")}`) !== undefined;
      return isIt ? [before.map((one) => `/${one}`).join("")] : [];
    });
    for (const base of new Set(bases)) counts.set(base, (counts.get(base) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}
