import { ask, search } from "../../lib/api.ts";
import { useControl } from "../../lib/resource.ts";
import type { Ledger } from "../../lib/shapes.ts";
import { Act } from "../../parts/forms.tsx";
import { EntryLink } from "../../parts/links.tsx";
import { Panel, Table } from "../../parts/panel.tsx";
import { Empty, Show } from "../../parts/states.tsx";
import { Amount, DayTime, Status } from "../../parts/text.tsx";

/** How the money of a client moved, and its deposits. */
export const LedgerPanel = ({ path }: { readonly path: string }) => {
  const ledger = useControl<Ledger>(`${path}/ledger${search({ limit: 100 })}`, "entries");
  return (
    <Panel title="Ledger" class="wide">
      <Show of={ledger.value}>
        {({ movements, total, deposits }) => (
          <>
            {deposits.length > 0 && <Deposits of={deposits} />}
            <Table
              label="Ledger"
              heads={["Entry", "Time", "What", "Asset", "Change", "Of the hold", "Balance", "On hold"]}
              numeric={[4, 5, 6, 7]}
              rows={movements.map((one) => ({
                key: `${one.entry} ${one.asset}`,
                cells: [
                  one.entry === 0 ? <span class="soft">start</span> : <EntryLink seq={one.entry} />,
                  <DayTime at={one.at} />,
                  one.kind,
                  one.asset,
                  <Amount of={one.change} signed />,
                  <Amount of={one.holdChange} signed />,
                  <Amount of={one.balance} />,
                  <Amount of={one.hold} />,
                ],
              }))}
            />
            {total > movements.length && <Empty>{`The newest ${movements.length} of ${total}.`}</Empty>}
          </>
        )}
      </Show>
    </Panel>
  );
};

const Deposits = ({ of }: { readonly of: Ledger["deposits"] }) => (
  <Table
    label="Deposits"
    heads={["Deposit", "Asset", "Amount", "Status", "Confirmations", "Does"]}
    numeric={[2]}
    rows={of.slice(0, 20).map(({ id, asset, amount, status, confirmations, confirmationsRequired }) => ({
      key: id,
      cells: [
        <span class="mono">{id.slice(0, 8)}…</span>,
        asset,
        <Amount of={amount} />,
        <Status of={status} />,
        `${confirmations} of ${confirmationsRequired}`,
        <div class="actions">
          {status === "PENDING" && (
            <>
              <Act
                run={() => ask("POST", `/deposits/${id}/confirmations`, { confirmations: 1 })}
                done="One more."
              >
                Confirm once
              </Act>
              <Act
                run={() => ask("POST", `/deposits/${id}/fail`, {})}
                done="The deposit has failed."
                tone="danger"
              >
                Fail
              </Act>
            </>
          )}
        </div>,
      ],
    }))}
  />
);
