import { useControl } from "../../lib/resource.ts";
import { place, refine } from "../../lib/router.ts";
import type { Trade, Trades } from "../../lib/shapes.ts";
import { ClientLink, EntryLink, OrderLink } from "../../parts/links.tsx";
import { Facts, Panel, Table } from "../../parts/panel.tsx";
import { Empty, Show } from "../../parts/states.tsx";
import { Amount, DayTime, Side, Time } from "../../parts/text.tsx";

/** The newest trades. A number opens its two sides. */
export const TradePanel = ({ product }: { readonly product: string }) => {
  const trades = useControl<Trades>(`/products/${product}/trades`, "entries");
  const opened = Number(place.value.query["trade"] ?? 0);
  return (
    <Panel title="Trades">
      {opened > 0 && <Sides trade={opened} onClose={() => refine({ trade: "" })} />}
      <Show of={trades.value}>
        {({ trades: shown }) =>
          shown.length === 0 ? (
            <Empty>No trades yet.</Empty>
          ) : (
            <Table
              label="Trades"
              heads={["Trade", "Time", "Price", "Quantity", "Taker"]}
              numeric={[2, 3]}
              rows={shown.map(({ trade, at, price, quantity, takerSide }) => ({
                key: trade,
                chosen: trade === opened,
                cells: [
                  <button
                    type="button"
                    class="plain mono"
                    title="Who were the two sides?"
                    onClick={() => refine({ trade: String(trade) })}
                  >
                    {trade}
                  </button>,
                  <Time at={at} />,
                  <Amount of={price} />,
                  <Amount of={quantity} />,
                  <Side of={takerSide} />,
                ],
              }))}
            />
          )
        }
      </Show>
    </Panel>
  );
};

const Sides = ({ trade, onClose }: { readonly trade: number; readonly onClose: () => void }) => {
  const found = useControl<Trade>(`/trades/${trade}`, "nothing");
  return (
    <div class="card">
      <Show of={found.value}>
        {({ entry, at, price, quantity, takerSide, taker, maker }) => (
          <Facts
            rows={[
              [`Trade ${trade}`, <EntryLink seq={entry} />],
              ["Taker", <Party of={taker} />],
              ["Maker", <Party of={maker} />],
              ["Taker side", <Side of={takerSide} />],
              ["Price × quantity", `${price} × ${quantity}`],
              ["Market time", <DayTime at={at} />],
            ]}
          />
        )}
      </Show>
      <button type="button" class="small" onClick={onClose}>
        Close
      </button>
    </div>
  );
};

const Party = ({ of }: { readonly of: Trade["taker"] }) =>
  of === null ? (
    <span class="soft">the synthetic market</span>
  ) : (
    <>
      <ClientLink id={of.client} /> · <OrderLink id={of.order} />
    </>
  );
