/** The journal: a timeline to move along, each entry with what it did, forks and capsules. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { act } from "../act.ts";
import { type Answer, call, get, world } from "../api.ts";
import { standing } from "../feed.ts";
import { useLive } from "../live.ts";
import { Code, Fields, Form, Panel, Shown, Time } from "../parts/parts.tsx";
import { go, to } from "../router.ts";
import { clockText } from "../text.ts";

type Journal = Answer<"journal", "read">;
type Entry = Answer<"journal", "entry">;

const windowSize = 60;

export function JournalView({ parts: [named] }: { readonly parts: readonly string[] }) {
  const last = standing.value?.seq ?? 0;
  const asked = named === undefined ? undefined : Number(named);
  const at = asked !== undefined && asked >= 1 ? Math.min(asked, Math.max(last, 1)) : undefined;
  const place = useSignal(at ?? last);
  useEffect(() => {
    place.value = at ?? last;
  }, [at, last]);
  const from = Math.max(1, Math.min(place.value, last) - windowSize + 1);
  const journal = useLive<Journal>(last === 0 ? null : `/journal?from=${from}&limit=${windowSize}`);
  const entry = useLive<Entry>(at === undefined || last === 0 ? null : `/journal/${at}`, ["epoch"]);
  return (
    <>
      <Panel title="Timeline" aside={<span class="soft">{last} entries</span>}>
        {last === 0 ? (
          <p class="soft">
            Nothing has happened yet. Every order, cancel, fault rule and move of the clock becomes an entry.
          </p>
        ) : (
          <div class="scrubber">
            <button
              type="button"
              aria-label="One entry back"
              disabled={place.value <= 1}
              onClick={() => go("journal", place.value - 1)}
            >
              ◀
            </button>
            <input
              type="range"
              aria-label="Entry of the journal"
              min={1}
              max={last}
              value={place.value}
              onInput={(event) => (place.value = Number(event.currentTarget.value))}
              onChange={(event) => go("journal", event.currentTarget.value)}
            />
            <button
              type="button"
              aria-label="One entry on"
              disabled={place.value >= last}
              onClick={() => go("journal", place.value + 1)}
            >
              ▶
            </button>
            <output class="number">{place.value}</output>
            <a class="button small" href={to("journal")}>
              Follow the end
            </a>
          </div>
        )}
        <Keep at={at ?? last} />
      </Panel>
      <div class={at === undefined ? "split" : "split open"}>
        <Panel title="Entries">
          <Shown live={journal} isEmpty={(data) => data.entries.length === 0}>
            {(data) => (
              <div class="scroll tall">
                <table>
                  <thead>
                    <tr>
                      <th class="right">Entry</th>
                      <th>Market time</th>
                      <th>Command</th>
                      <th>What it did</th>
                    </tr>
                  </thead>
                  <tbody>
                    {data.entries.toReversed().map(({ seq, at: moment, kind, events }) => (
                      <tr
                        key={seq}
                        ref={seq === at ? intoView : null}
                        class={seq === at ? "chosen" : ""}
                        onClick={() => go("journal", seq)}
                      >
                        <td class="number">
                          <a href={to("journal", seq)}>{seq}</a>
                        </td>
                        <td class="stamp" title={moment}>
                          {clockText(moment)}
                        </td>
                        <td>{kind}</td>
                        <td class="soft">{events.map((event) => String(event["kind"])).join(", ")}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </Shown>
        </Panel>
        {at === undefined ? null : (
          <Panel
            title={`Entry ${at}`}
            aside={
              <a class="button small" href={to("journal")}>
                Close
              </a>
            }
          >
            <Shown live={entry}>
              {({ at: moment, kind, command, events, hash }) => (
                <>
                  <Fields
                    of={[
                      ["Market time", <Time at={moment} />],
                      ["Command", kind],
                      ["Chain hash", <span class="mono">{hash}</span>],
                    ]}
                  />
                  <h3>Command</h3>
                  <Code text={JSON.stringify(command, null, 2)} label="Command" />
                  <h3>{events.length === 1 ? "One event" : `${events.length} events`}</h3>
                  <Code text={events.map((event) => JSON.stringify(event)).join("\n")} label="Events" />
                  <p class="soft">Prices are in ticks and quantities in lots, as the engine has them.</p>
                </>
              )}
            </Shown>
          </Panel>
        )}
      </div>
    </>
  );
}

const intoView = (row: HTMLElement | null): void => row?.scrollIntoView({ block: "nearest" });

function Keep({ at }: { readonly at: number }) {
  const here = world.value;
  const fork = ({ name = "" }: Readonly<Record<string, string>>) =>
    act(`The world ${name} goes on from entry ${at}.`, async () => {
      await call("POST", "/worlds", {
        name,
        from: at === (standing.value?.seq ?? 0) ? here : `${here}@${at}`,
      });
      world.value = name;
      go("orders");
    });
  const capsule = () =>
    act("The capsule is in your downloads: gatewright replay FILE runs it anywhere.", async () => {
      const { file } = await get<Answer<"capsule", "read">>("/capsule");
      const bytes = Uint8Array.from(atob(file), (one) => one.charCodeAt(0));
      const address = URL.createObjectURL(new Blob([bytes], { type: "application/gzip" }));
      const anchor = Object.assign(document.createElement("a"), {
        href: address,
        download: `${here}.capsule`,
      });
      anchor.click();
      URL.revokeObjectURL(address);
    });
  return (
    <div class="filters">
      <Form
        action={`Fork from entry ${at}`}
        fields={[{ name: "name", label: "New world", value: "what-if" }]}
        onDone={fork}
      />
      <button type="button" onClick={capsule}>
        Download as capsule
      </button>
    </div>
  );
}
