import { ask } from "../../lib/api.ts";
import { useControl } from "../../lib/resource.ts";
import type { Faults, Outcomes } from "../../lib/shapes.ts";
import { isSpent } from "../../parts/armed.tsx";
import { Act, ActionForm, given } from "../../parts/forms.tsx";
import { Panel, Table } from "../../parts/panel.tsx";
import { Empty, Show } from "../../parts/states.tsx";

/** The fault rules in force, with what they did. */
export const FaultPanel = () => {
  const faults = useControl<Faults>("/faults", "both");
  const outcomes = useControl<Outcomes>("/outcomes", "nothing");
  const codes = outcomes.value.data?.outcomes.filter(({ forced }) => forced).map(({ code }) => code) ?? [];
  const number = (text: string | undefined) => (text === undefined ? {} : Number(text));
  return (
    <Panel
      title="Fault rules"
      aside={
        <Act
          run={() => ask("DELETE", "/faults")}
          done="No fault rule is in force."
          sure="Press again to clear all"
        >
          Clear all rules
        </Act>
      }
    >
      <Show of={faults.value}>
        {({ rules, counts }) =>
          rules.length === 0 ? (
            <Empty>No rules: everything goes well. Add one here, or choose an outcome.</Empty>
          ) : (
            <RuleTable of={rules} counts={counts} />
          )
        }
      </Show>
      <ActionForm
        label="Add rule"
        done="The rule is in force."
        fields={[
          { name: "id", label: "Name", initial: "my-rule" },
          { name: "outcome", label: "Outcome", options: codes },
          { name: "key", label: "Key", optional: true, hint: "trader" },
          { name: "product", label: "Product", optional: true, hint: "BTC-USD" },
          { name: "nth", label: "Only the nth", optional: true },
          { name: "percent", label: "Percent", optional: true },
          { name: "count", label: "At most", optional: true },
        ]}
        run={(values) => {
          const { nth, percent, count, ...texts } = given(values);
          const numbers = Object.entries({ nth, percent, count }).filter(([, value]) => value !== undefined);
          return ask("POST", "/faults/rules", {
            ...texts,
            ...Object.fromEntries(numbers.map(([name, value]) => [name, number(value)])),
          });
        }}
      />
    </Panel>
  );
};

type Rules = Faults["rules"];

const RuleTable = ({ of, counts }: { readonly of: Rules; readonly counts: Faults["counts"] }) => (
  <Table
    label="Fault rules"
    heads={["Rule", "Does", "Matched", "Fired", "Remove"]}
    numeric={[2, 3]}
    wrapping={[1]}
    rows={of.map((rule) => {
      const { id, ...rest } = rule;
      const count = counts?.find((one) => one.id === id);
      return {
        key: id,
        cells: [
          <>
            {id} {isSpent(rule, counts) && <span class="tag">used up</span>}
          </>,
          <code>{JSON.stringify(rest)}</code>,
          String(count?.matched ?? 0),
          String(count?.fired ?? 0),
          <Act run={() => ask("DELETE", `/faults/rules/${id}`)} done={`The rule ${id} is gone.`}>
            Remove
          </Act>,
        ],
      };
    })}
  />
);
