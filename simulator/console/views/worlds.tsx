/** The worlds of the sandbox: make, fork, reset, delete, go to. */
import { type Answer, askSurface } from "../lib/api.ts";
import { useControl } from "../lib/resource.ts";
import { go, world as here, to } from "../lib/router.ts";
import type { Worlds as WorldList } from "../lib/shapes.ts";
import { visible } from "../lib/visible.ts";
import { Act, ActionForm, given, type Values } from "../parts/forms.tsx";
import { Panel, Table } from "../parts/panel.tsx";
import { Show } from "../parts/states.tsx";

export const Worlds = () => {
  const worlds = useControl<WorldList>("/worlds", "worlds", true);
  return (
    <>
      <h1>Worlds</h1>
      <p class="soft">
        Each world has its own clock, orders, faults, journal and keys.{" "}
        {isStore(worlds.value.data ?? []) ? "They stay in the store that nodes share." : inMemory}
      </p>
      <div class="grid">
        <Panel title="Worlds" class="wide">
          <Show of={worlds.value}>{(all) => <WorldTable worlds={all} />}</Show>
        </Panel>
        <Panel title="New world">
          <ActionForm
            label="Make"
            done="The world is made; its keys are under Accounts."
            fields={[
              { name: "name", label: "Name", hint: "ci" },
              { name: "from", label: "Fork of", optional: true, hint: "main, or main@120" },
              { name: "seed", label: "Seed", optional: true },
              { name: "clock", label: "Clock", options: ["", "real", "manual", "skip-idle"] },
              { name: "hostile", label: "Hostile seed", optional: true },
            ]}
            run={make}
          />
        </Panel>
      </div>
    </>
  );
};

/** A node of a store names itself at each world that it has. */
const isStore = (worlds: WorldList): boolean => worlds.some(({ node }) => node !== null);

const inMemory = (
  <>
    Those beside <b>main</b> live in memory and end with the sandbox.
  </>
);

async function make(values: Values): Promise<Answer<unknown>> {
  const { seed, hostile, ...texts } = given(values);
  const answer = await askSurface("POST", "/worlds", {
    ...texts,
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...(hostile === undefined ? {} : { hostile: Number(hostile) }),
  });
  if (answer.ok) go({ world: values["name"] ?? "main", view: "market" });
  return answer;
}

const WorldTable = ({ worlds }: { readonly worlds: WorldList }) => (
  <Table
    label="Worlds"
    heads={["World", "Seed", "Entries", "Chain hash", ...(isStore(worlds) ? ["Node"] : []), "Does"]}
    numeric={[1, 2]}
    rows={worlds.map(({ name, node, seed, seq, hash }) => ({
      key: name,
      chosen: name === here.value,
      cells: [
        <a href={to({ world: name, view: "market" })}>
          <b>{visible(name)}</b>
        </a>,
        <span class="num">{seed}</span>,
        <span class="num">{seq}</span>,
        <span class="mono soft">{hash.slice(0, 16)}</span>,
        ...(isStore(worlds) ? [<span class="soft">{node === null ? "asleep" : visible(node)}</span>] : []),
        <WorldActions name={name} />,
      ],
    }))}
  />
);

const WorldActions = ({ name }: { readonly name: string }) => {
  const path = `/worlds/${encodeURIComponent(name)}`;
  const remove = async (): Promise<Answer<unknown>> => {
    const answer = await askSurface("DELETE", path);
    if (answer.ok && here.value === name) go({ world: "main", view: "worlds" });
    return answer;
  };
  return (
    <div class="actions">
      <Act
        run={() => askSurface("POST", `${path}/fork`, { name: `${name}-fork`.slice(0, 40) })}
        done={`${name}-fork goes on from here.`}
      >
        Fork
      </Act>
      <Act
        run={() => askSurface("POST", `${path}/reset`, {})}
        done={`${name} begins anew.`}
        sure="Press again to reset"
      >
        Reset
      </Act>
      {name !== "main" && (
        <Act run={remove} done={`${name} is gone.`} sure="Press again to delete" tone="danger">
          Delete
        </Act>
      )}
    </div>
  );
};
