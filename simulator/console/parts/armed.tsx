/** Outcomes that wait for an order of a key: shown wherever somebody could be surprised by them, and taken back there. */
import { ask } from "../lib/api.ts";
import type { Faults } from "../lib/shapes.ts";
import { visible } from "../lib/visible.ts";
import { Act } from "./forms.tsx";

export interface Armed {
  readonly rule: string;
  readonly outcome: string;
}

/** The rules of a key, or of all keys, that name an outcome and are not used up; those of one id wait for that id. */
export function armedFor(key: string, { rules, counts }: Faults): Armed[] {
  return rules.flatMap(({ id, outcome, key: ofKey, clientOrderIdPrefix, count, nth }) => {
    const { matched = 0, fired = 0 } = counts?.find((one) => one.id === id) ?? {};
    const isSpent =
      fired >= (count ?? Number.POSITIVE_INFINITY) || matched >= (nth ?? Number.POSITIVE_INFINITY);
    const isOurs = (ofKey ?? key) === key && clientOrderIdPrefix === undefined;
    return outcome === undefined || isSpent || !isOurs ? [] : [{ rule: id, outcome }];
  });
}

export const TakeBack = ({ of: { rule, outcome } }: { readonly of: Armed }) => (
  <Act run={() => ask("DELETE", `/faults/rules/${rule}`)} done={`${outcome} waits no longer (rule ${rule}).`}>
    Take back
  </Act>
);

/** A word above a form that sends orders of this key. */
export const ArmedNotice = ({ of, faults }: { readonly of: string; readonly faults: Faults | null }) => {
  const armed = faults === null ? [] : armedFor(of, faults);
  return (
    <>
      {armed.map((one) => (
        <p key={one.rule} class="card actions" role="status">
          <span>
            The next order that {visible(of)} signs ends as <b class="mono">{one.outcome}</b>: the fault rule{" "}
            <b class="mono">{one.rule}</b> waits for it.
          </span>
          <TakeBack of={one} />
        </p>
      ))}
    </>
  );
};
