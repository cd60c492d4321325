/** The worlds of this process: each with its own clock, orders, journal and keys. */
import { act } from "../act.ts";
import { type Answer, call, segment, world } from "../api.ts";
import { useLive } from "../live.ts";
import { Form, Panel, Shown, Sure } from "../parts/parts.tsx";
import { to } from "../router.ts";

type Worlds = Answer<"world", "list">;

export function WorldsView() {
  const worlds = useLive<Worlds>("/worlds", ["seq", "epoch", "worlds"]);
  const make = ({ name = "", seed, clock }: Readonly<Record<string, string>>) =>
    act(`The world ${name} is there, with keys of its own.`, async () => {
      await call("POST", "/worlds", {
        name,
        ...(seed === undefined ? {} : { seed: Number(seed) }),
        ...(clock === undefined ? {} : { clock }),
      });
      world.value = name;
    });
  return (
    <div class="grid">
      <Panel title="Worlds" wide>
        <Shown live={worlds}>
          {(data) => (
            <div class="scroll">
              <table>
                <thead>
                  <tr>
                    <th>World</th>
                    <th class="right">Seed</th>
                    <th class="right">Entries</th>
                    <th>Chain hash</th>
                    <th class="right">Resets</th>
                    <th></th>
                  </tr>
                </thead>
                <tbody>
                  {data.map(({ name, seed, seq, hash, epoch }) => (
                    <tr key={name} class={name === world.value ? "chosen" : ""}>
                      <td>
                        <b>{name}</b>
                      </td>
                      <td class="number">{seed}</td>
                      <td class="number">{seq}</td>
                      <td class="mono">{hash.slice(0, 12)}</td>
                      <td class="number">{epoch}</td>
                      <td>
                        <div class="buttons">
                          <button
                            type="button"
                            class="small"
                            disabled={name === world.value}
                            onClick={() => (world.value = name)}
                          >
                            Show
                          </button>
                          <Sure
                            label="Reset"
                            onDone={() =>
                              act(`${name} begins anew.`, () =>
                                call("POST", `/worlds/${segment(name)}/reset`, {}),
                              )
                            }
                          />
                          {name === "main" ? null : (
                            <Sure
                              label="Delete"
                              onDone={() =>
                                act(`${name} is deleted.`, async () => {
                                  if (world.value === name) world.value = "main";
                                  await call("DELETE", `/worlds/${segment(name)}`);
                                })
                              }
                            />
                          )}
                        </div>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </Shown>
        <p class="soft">
          The key of a request chooses the world: those of <b>{world.value}</b> are under{" "}
          <a href={to("accounts")}>Accounts</a>. To go back in time, fork from an entry of the{" "}
          <a href={to("journal")}>journal</a>.
        </p>
      </Panel>
      <Panel title="Make a world">
        <Form
          action="Make it"
          fields={[
            { name: "name", label: "Name", value: "ci" },
            { name: "seed", label: "Seed", hint: "1", optional: true },
            { name: "clock", label: "Clock", choices: ["real", "manual", "skip-idle"], value: "manual" },
          ]}
          onDone={make}
        />
      </Panel>
    </div>
  );
}
