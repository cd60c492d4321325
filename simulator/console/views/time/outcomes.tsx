import { useSignal } from "@preact/signals";
import { ask } from "../../lib/api.ts";
import { useControl } from "../../lib/resource.ts";
import { lastKey } from "../../lib/session.ts";
import type { Faults, Keys, Outcomes } from "../../lib/shapes.ts";
import { visible } from "../../lib/visible.ts";
import { armedIn, Disarm } from "../../parts/armed.tsx";
import { Act, FieldInput } from "../../parts/forms.tsx";
import { Panel, Table } from "../../parts/panel.tsx";
import { Show } from "../../parts/states.tsx";
import { Prose } from "../../parts/text.tsx";

/** What can be made to happen to the next order of a key. */
export const OutcomePanel = () => {
  const outcomes = useControl<Outcomes>("/outcomes", "nothing");
  const keys = useControl<Keys>("/keys", "nothing");
  const faults = useControl<Faults>("/faults", "both");
  const wanted = useSignal("");
  const key = lastKey.value;
  const armed = armedIn(faults.value.data);
  const names = keys.value.data?.map(({ name }) => name) ?? ["trader"];
  return (
    <Panel title="What happens to the next order">
      <div class="filters">
        <FieldInput
          field={{ name: "key", label: "Order signed by the key", options: names }}
          value={key}
          onChange={(value) => (lastKey.value = value)}
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
            heads={["Outcome", "What happens"]}
            wrapping={[1]}
            rows={all
              .filter(
                ({ code, does, forced }) =>
                  forced && `${code} ${does}`.toLowerCase().includes(wanted.value.toLowerCase()),
              )
              .map(({ code, does }) => ({
                key: code,
                cells: [
                  <>
                    <div class="actions">
                      <Act
                        run={() => ask("POST", "/outcomes/next", { key, code, count: 1 })}
                        done={`${code} is armed for the next order of ${key}.`}
                        title={`Arm ${code}`}
                      >
                        Arm
                      </Act>
                      <span class="code-name">{code}</span>
                    </div>
                    {armed
                      .filter(({ outcome }) => outcome === code)
                      .map((one) => (
                        <div key={one.rule} class="actions">
                          <span class="tag warn">armed for {visible(one.key)}</span>
                          <Disarm of={one} />
                        </div>
                      ))}
                  </>,
                  <Prose text={does} />,
                ],
              }))}
          />
        )}
      </Show>
    </Panel>
  );
};
