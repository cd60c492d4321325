import { useSignal } from "@preact/signals";
import { ask } from "../../lib/api.ts";
import { useControl } from "../../lib/resource.ts";
import type { Freedoms } from "../../lib/shapes.ts";
import { Act, ActionForm, FieldInput } from "../../parts/forms.tsx";
import { report } from "../../parts/notices.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Show } from "../../parts/states.tsx";

/** What the specification leaves open: the option in force, and a switch where there is one. */
export const FreedomPanel = () => {
  const freedoms = useControl<Freedoms>("/freedoms", "entries");
  const wanted = useSignal("");
  const all = useSignal(false);
  return (
    <Panel title="Freedoms" aside={<HostileState seed={freedoms.value.data?.hostile ?? null} />}>
      <ActionForm
        label="Hostile mode"
        done="The seed has chosen every freedom that can be switched."
        fields={[{ name: "seed", label: "Seed", initial: "7" }]}
        run={({ seed = "" }) => ask("PUT", "/hostile", { seed: Number(seed) })}
      />
      <div class="filters">
        <FieldInput
          field={{ name: "find", label: "Find", hint: "self-trade, page, late …", optional: true }}
          value={wanted.value}
          onChange={(value) => (wanted.value = value)}
        />
        <label class="check">
          <input type="checkbox" checked={all.value} onChange={() => (all.value = !all.value)} /> also those
          that cannot be switched now
        </label>
      </div>
      <Show of={freedoms.value}>
        {({ freedoms: shown }) => (
          <ul class="freedoms">
            {shown
              .filter(({ switchable }) => all.value || switchable === "run time")
              .filter(({ id, gap }) => `${id} ${gap}`.toLowerCase().includes(wanted.value.toLowerCase()))
              .map((freedom) => (
                <OneFreedom key={freedom.id} freedom={freedom} />
              ))}
          </ul>
        )}
      </Show>
    </Panel>
  );
};

const HostileState = ({ seed }: { readonly seed: number | null }) =>
  seed === null ? null : (
    <>
      <span class="tag bad">hostile {seed}</span>
      <Act run={() => ask("PUT", "/hostile", { seed: null })} done="The freedoms are as the world began.">
        Off
      </Act>
    </>
  );

const OneFreedom = ({ freedom }: { readonly freedom: Freedoms["freedoms"][number] }) => {
  const { id, option, options, gap, switchable, reason, whyFixed } = freedom;
  const choose = async (next: string): Promise<void> => {
    report(await ask("PUT", `/freedoms/${id}`, { option: next }), `${id} = ${next}.`);
  };
  return (
    <li>
      <div class="actions">
        <b class="mono">{id}</b>
        {switchable === "run time" ? (
          <select
            aria-label={id}
            value={option}
            onChange={({ currentTarget }) => void choose(currentTarget.value)}
          >
            {[...new Set([option, ...options.map((one) => one.id)])].map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        ) : (
          <span class="tag">{option}</span>
        )}
      </div>
      <p>{gap}</p>
      <details>
        <summary>Options and why</summary>
        <ul>
          {options.map((one) => (
            <li key={one.id}>
              <b class="mono">{one.id}</b>: {one.means}
            </li>
          ))}
        </ul>
        <p class="soft">{reason}</p>
        {whyFixed !== null && <p class="soft">{whyFixed}</p>}
      </details>
    </li>
  );
};
