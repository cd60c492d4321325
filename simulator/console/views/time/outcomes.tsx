import { useSignal } from "@preact/signals";
import { ask } from "../../lib/api.ts";
import { useControl } from "../../lib/resource.ts";
import type { Keys, Outcomes } from "../../lib/shapes.ts";
import { Act, FieldInput } from "../../parts/forms.tsx";
import { Panel, Table } from "../../parts/panel.tsx";
import { Show } from "../../parts/states.tsx";
import { Prose } from "../../parts/text.tsx";

/** What can be made to happen to the next order of a key. */
export const OutcomePanel = () => {
  const outcomes = useControl<Outcomes>("/outcomes", "nothing");
  const keys = useControl<Keys>("/keys", "nothing");
  const key = useSignal("trader");
  const wanted = useSignal("");
  const names = keys.value.data?.map(({ name }) => name) ?? ["trader"];
  return (
    <Panel title="Make the next order end so">
      <div class="filters">
        <FieldInput
          field={{ name: "key", label: "Of the key", options: names }}
          value={key.value}
          onChange={(value) => (key.value = value)}
        />
        <FieldInput
          field={{ name: "find", label: "Find", hint: "pending, 503, lost …", optional: true }}
          value={wanted.value}
          onChange={(value) => (wanted.value = value)}
        />
      </div>
      <Show of={outcomes.value}>
        {({ outcomes: all }) => (
          <Table
            label="Outcomes"
            heads={["Outcome", "Does", "Now"]}
            wrapping={[1]}
            rows={all
              .filter(
                ({ code, does, forced }) =>
                  forced && `${code} ${does}`.toLowerCase().includes(wanted.value.toLowerCase()),
              )
              .map(({ code, does }) => ({
                key: code,
                cells: [
                  <span class="code-name">{code}</span>,
                  <Prose text={does} />,
                  <Act
                    run={() => ask("POST", "/outcomes/next", { key: key.value, code, count: 1 })}
                    done={`The next order of ${key.value}: ${code}.`}
                  >
                    Next order
                  </Act>,
                ],
              }))}
          />
        )}
      </Show>
    </Panel>
  );
};
