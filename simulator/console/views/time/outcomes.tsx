import { useSignal } from "@preact/signals";
import { ask } from "../../lib/api.ts";
import { useControl } from "../../lib/resource.ts";
import type { Faults, Keys, Outcomes } from "../../lib/shapes.ts";
import { visible } from "../../lib/visible.ts";
import { armedFor, TakeBack } from "../../parts/armed.tsx";
import { Act, FieldInput } from "../../parts/forms.tsx";
import { Panel, Table } from "../../parts/panel.tsx";
import { Show } from "../../parts/states.tsx";
import { Prose } from "../../parts/text.tsx";

/** What can be made to happen to the next order of a key. */
export const OutcomePanel = () => {
  const outcomes = useControl<Outcomes>("/outcomes", "nothing");
  const keys = useControl<Keys>("/keys", "nothing");
  const faults = useControl<Faults>("/faults", "both");
  const key = useSignal("trader");
  const wanted = useSignal("");
  const armed = faults.value.data === null ? [] : armedFor(key.value, faults.value.data);
  const names = keys.value.data?.map(({ name }) => name) ?? ["trader"];
  return (
    <Panel title="What happens to the next order">
      <div class="filters">
        <FieldInput
          field={{ name: "key", label: "Order signed by the key", options: names }}
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
            heads={["Next order", "What happens"]}
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
                    <Act
                      run={() => ask("POST", "/outcomes/next", { key: key.value, code, count: 1 })}
                      done={`${code} waits for the next order of ${key.value}.`}
                    >
                      {code}
                    </Act>
                    {armed
                      .filter(({ outcome }) => outcome === code)
                      .map((one) => (
                        <div key={one.rule} class="actions">
                          <span class="tag warn">waits for {visible(key.value)}</span>
                          <TakeBack of={one} />
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
