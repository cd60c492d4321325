/** The exchange log as it grows; one exchange as a tree; and the doctor for a pasted request. */
import { search } from "../lib/api.ts";
import { useControl } from "../lib/resource.ts";
import { place, refine, to } from "../lib/router.ts";
import type { Exchanges as ExchangeList, ExchangeRow } from "../lib/shapes.ts";
import { visible } from "../lib/visible.ts";
import { FieldInput } from "../parts/forms.tsx";
import { EntriesLink } from "../parts/links.tsx";
import { Panel, Table } from "../parts/panel.tsx";
import { Empty, Show } from "../parts/states.tsx";
import { HttpStatus, Time } from "../parts/text.tsx";
import { Doctor } from "./exchanges/doctor.tsx";
import { OneExchange } from "./exchanges/one-exchange.tsx";

export const Exchanges = () => {
  const { id, query } = place.value;
  const { key = "", status = "", path = "" } = query;
  const log = useControl<ExchangeList>(`/exchanges${search({ key, status, path, limit: 200 })}`, "exchanges");
  return (
    <>
      <h1>Exchanges</h1>
      <form class="filters" role="search" aria-label="Exchanges" onSubmit={(event) => event.preventDefault()}>
        <Filter name="key" label="Key" hint="trader" />
        <Filter name="status" label="Status" hint="404, 4xx, 0" />
        <Filter name="path" label="Path begins" hint="/api/v1/trading/order" />
        <a class="button" href={to({ view: "exchanges", id: "doctor" })}>
          Check a pasted request
        </a>
      </form>
      <div class={id === "" ? "" : "grid split"}>
        <Panel title="Log">
          <Show of={log.value}>
            {({ exchanges, dropped }) =>
              exchanges.length === 0 ? (
                <Empty>
                  No requests here. Send one from your client, or{" "}
                  <a href={to({ view: "place" })}>from this page</a>.
                </Empty>
              ) : (
                <>
                  <LogTable rows={exchanges.toReversed()} />
                  <p class="soft">
                    A number that is missing was a call of the control surface, such as those of this page, or
                    a request to another world.
                  </p>
                  {dropped > 0 && <Empty>{`${dropped} came faster than the log could write them.`}</Empty>}
                </>
              )
            }
          </Show>
        </Panel>
        {id === "doctor" ? <Doctor /> : id !== "" && <OneExchange key={id} id={id} />}
      </div>
    </>
  );
};

const Filter = ({
  name,
  label,
  hint,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
}) => (
  <FieldInput
    field={{ name, label, hint, optional: true }}
    value={place.value.query[name] ?? ""}
    onChange={(value) => refine({ [name]: value })}
  />
);

const Refusal = ({ of: { code, refusedBy } }: { readonly of: ExchangeRow }) =>
  code === null ? null : (
    <span
      class="mono"
      title={refusedBy === null ? undefined : `The check that failed: ${visible(refusedBy)}`}
    >
      {visible(code)}
    </span>
  );

const LogTable = ({ rows }: { readonly rows: readonly ExchangeRow[] }) => (
  <Table
    label="Exchanges"
    heads={["Request", "Status", "Refused as", "What", "Key", "Real time", "ms", "Entries"]}
    numeric={[6]}
    rows={rows.map((row) => ({
      key: row.number,
      chosen: row.requestId === place.value.id,
      cells: [
        <a class="mono" href={to({ view: "exchanges", id: row.requestId, query: place.value.query })}>
          {visible(row.requestId.slice(0, 24))}
        </a>,
        <HttpStatus of={row.status} />,
        <Refusal of={row} />,
        <span class="target">
          <b>{visible(row.method)}</b> {visible(row.target.replace(/^\/api\/v1\/trading/, "…").slice(0, 120))}
        </span>,
        row.key === null ? <span class="soft">–</span> : visible(row.key),
        <Time at={row.receivedAt} />,
        <span class="num">{row.durationMs}</span>,
        <EntriesLink of={row.entries} />,
      ],
    }))}
  />
);
