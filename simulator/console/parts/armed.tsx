/** Outcomes that wait for an order of a key: shown wherever somebody could be surprised by them, and taken back there. */
import { ask } from "../lib/api.ts";
import type { Faults } from "../lib/shapes.ts";
import { visible } from "../lib/visible.ts";
import { Act } from "./forms.tsx";

export interface Armed {
  readonly rule: string;
  readonly key: string;
  readonly outcome: string;
}

type Rule = Faults["rules"][number];

/** A rule that will not apply again. */
export function isSpent({ id, count, nth }: Rule, counts: Faults["counts"]): boolean {
  const { matched = 0, fired = 0 } = counts?.find((one) => one.id === id) ?? {};
  return fired >= (count ?? Number.POSITIVE_INFINITY) || matched >= (nth ?? Number.POSITIVE_INFINITY);
}

/** The rules that name an outcome and are not used up; not those that wait for an order of a certain id. */
export const armedIn = (faults: Faults | null): Armed[] =>
  (faults?.rules ?? []).flatMap((rule) => {
    const { id, outcome, key = "any key", clientOrderIdPrefix } = rule;
    if (outcome === undefined || clientOrderIdPrefix !== undefined) return [];
    return isSpent(rule, faults?.counts) ? [] : [{ rule: id, key, outcome }];
  });

export const Disarm = ({ of: { rule, outcome } }: { readonly of: Armed }) => (
  <Act run={() => ask("DELETE", `/faults/rules/${rule}`)} done={`${outcome} is disarmed (rule ${rule}).`}>
    Disarm
  </Act>
);

/** A word above a form that sends orders. */
export const ArmedNotice = ({ of }: { readonly of: Faults | null }) => (
  <>
    {armedIn(of).map((one) => (
      <p key={one.rule} class="card actions" role="status">
        <span>
          Armed: the next order that <b>{visible(one.key)}</b> signs meets <b class="mono">{one.outcome}</b>,
          by the fault rule {one.rule}.
        </span>
        <Disarm of={one} />
      </p>
    ))}
  </>
);
