/** The journal as a line of entries with a scrubber; one entry with its events; and a world that goes on from there. */
import { useSignal } from "@preact/signals";
import { ask, askSurface, search } from "../lib/api.ts";
import { standing } from "../lib/feed.ts";
import { useControl } from "../lib/resource.ts";
import { go, place, to, world } from "../lib/router.ts";
import type { Entry, Journal as JournalPart } from "../lib/shapes.ts";
import { ActionForm } from "../parts/forms.tsx";
import { tell } from "../parts/notices.tsx";
import { Facts, Panel, Table } from "../parts/panel.tsx";
import { Empty, Show } from "../parts/states.tsx";
import { Code, DayTime, Time } from "../parts/text.tsx";

const shown = 50;

export const Journal = () => {
  const last = standing.value?.seq ?? 0;
  /** Null follows the newest. */
  const at = useSignal<number | null>(null);
  const chosen = Number(place.value.id) || null;
  const from = at.value ?? (chosen === null ? null : Math.max(1, chosen - shown / 2));
  const journal = useControl<JournalPart>(
    `/journal${search({ limit: shown, from: from ?? "" })}`,
    from === null ? "entries" : "nothing",
  );
  return (
    <>
      <h1>Journal</h1>
      <Scrubber last={last} at={from} onMove={(next) => (at.value = next)} />
      <div class={chosen === null ? "" : "grid split"}>
        <Panel title="Entries" aside={<CapsuleButton />}>
          <Show of={journal.value}>
            {({ entries }) =>
              entries.length === 0 ? (
                <Empty>The journal is empty. Every order, fill and control becomes an entry.</Empty>
              ) : (
                <EntryTable entries={entries.toReversed()} chosen={chosen} />
              )
            }
          </Show>
        </Panel>
        {chosen !== null && <OneEntry key={chosen} seq={chosen} />}
      </div>
    </>
  );
};

interface ScrubberProps {
  readonly last: number;
  readonly at: number | null;
  readonly onMove: (at: number | null) => void;
}

const Scrubber = ({ last, at, onMove }: ScrubberProps) => (
  <div class="scrubber">
    <label>
      <span class="soft">From entry</span>
      <input
        type="range"
        aria-label="Entry"
        min={1}
        max={Math.max(1, last)}
        value={at ?? last}
        onInput={({ currentTarget }) => onMove(currentTarget.valueAsNumber)}
      />
      <b class="num">{at ?? last}</b> <span class="soft">of {last}</span>
    </label>
    <button type="button" aria-pressed={at === null} onClick={() => onMove(null)}>
      Follow the newest
    </button>
  </div>
);

const EntryTable = ({
  entries,
  chosen,
}: {
  readonly entries: readonly Entry[];
  readonly chosen: number | null;
}) => (
  <Table
    label="Entries"
    heads={["Entry", "Time", "Command", "Events", "Hash"]}
    wrapping={[3]}
    rows={entries.map(({ seq, at, kind, events, hash }) => ({
      key: seq,
      chosen: seq === chosen,
      cells: [
        <a class="mono" href={to({ view: "journal", id: String(seq) })}>
          #{seq}
        </a>,
        <Time at={at} />,
        kind,
        eventNames(events),
        <span class="mono soft">{hash.slice(0, 8)}</span>,
      ],
    }))}
  />
);

/** `OrderFilled × 3` for three of a kind in a row. */
function eventNames(events: Entry["events"]): string {
  const counts = new Map<string, number>();
  for (const { kind } of events) counts.set(String(kind), (counts.get(String(kind)) ?? 0) + 1);
  return Array.from(counts, ([kind, count]) => (count === 1 ? kind : `${kind} × ${count}`)).join(", ");
}

const OneEntry = ({ seq }: { readonly seq: number }) => {
  const entry = useControl<Entry>(`/journal/${seq}`, "nothing");
  return (
    <Panel
      title={`Entry ${seq}`}
      aside={
        <>
          <a class="button small" href={to({ view: "journal", id: String(Math.max(1, seq - 1)) })}>
            Before
          </a>
          <a class="button small" href={to({ view: "journal", id: String(seq + 1) })}>
            After
          </a>
          <a class="button small" href={to({ view: "journal" })}>
            Close
          </a>
        </>
      }
    >
      <Show of={entry.value}>
        {({ at, kind, command, events, hash }) => (
          <>
            <Facts
              rows={[
                ["Command", <b>{kind}</b>],
                ["Market time", <DayTime at={at} />],
                ["Chain hash", <span class="mono">{hash}</span>],
              ]}
            />
            <Fork seq={seq} />
            <Code label="command" text={JSON.stringify(command, null, 2)} />
            {events.map((event, index) => (
              <Code
                key={index}
                label={`event ${String(event["kind"])}`}
                text={JSON.stringify(event, null, 2)}
              />
            ))}
            <p class="soft">Prices are in ticks and quantities in lots, as the engine has them.</p>
          </>
        )}
      </Show>
    </Panel>
  );
};

const Fork = ({ seq }: { readonly seq: number }) => (
  <>
    <p>
      A fork is a world in memory that has the state after this entry: look at its market, orders and
      accounts, and go another way from there.
    </p>
    <ActionForm
      label="Fork from here"
      done="This is the fork."
      fields={[{ name: "name", label: "Name of the world", initial: `at-${seq}` }]}
      run={async ({ name = "" }) => {
        const answer = await askSurface("POST", `/worlds/${encodeURIComponent(world.value)}/fork`, {
          name,
          entry: seq,
        });
        if (answer.ok) go({ world: name, view: "market" });
        return answer;
      }}
    />
  </>
);

/** The world with its journal and exchanges as a file. */
const CapsuleButton = () => {
  const save = async (): Promise<void> => {
    const answer = await ask<{ readonly file: string }>("GET", "/capsule");
    if (!answer.ok) return tell(answer.refusal.message, false);
    const bytes = Uint8Array.from(atob(answer.data.file), (one) => one.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: "application/gzip" }));
    link.download = `${world.value}.capsule`;
    link.click();
    URL.revokeObjectURL(link.href);
    tell("The capsule is saved. Replay it anywhere: gatewright replay FILE.", true);
  };
  return (
    <button type="button" onClick={() => void save()}>
      Save a capsule
    </button>
  );
};
