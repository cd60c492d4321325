import { useSignal } from "@preact/signals";
import { search } from "../../lib/api.ts";
import { useControl } from "../../lib/resource.ts";
import type { Candles, Orders, Product } from "../../lib/shapes.ts";
import { Panel } from "../../parts/panel.tsx";
import { Empty, Show } from "../../parts/states.tsx";
import { CandleChart } from "./candle-chart.tsx";

const lengths = {
  "1 min": "ONE_MINUTE",
  "5 min": "FIVE_MINUTES",
  "1 h": "ONE_HOUR",
  "1 d": "ONE_DAY",
} as const;
type Length = keyof typeof lengths;
// as: the keys of an object literal are exactly its declared ones.
const names = Object.keys(lengths) as readonly Length[];

/** Candles, with the prices of the orders that clients have in the market. */
export const CandlePanel = ({ product }: { readonly product: Product }) => {
  const length = useSignal<Length>("1 min");
  const id = product.product;
  const granularity = lengths[length.value];
  const candles = useControl<Candles>(
    `/products/${id}/candles${search({ granularity, limit: 300 })}`,
    "entries",
  );
  const orders = useControl<Orders>(`/orders${search({ product: id, limit: 20 })}`, "entries");
  const choice = names.map((name) => (
    <button
      key={name}
      type="button"
      class="small"
      aria-pressed={name === length.value}
      onClick={() => (length.value = name)}
    >
      {name}
    </button>
  ));
  return (
    <Panel title="Candles" class="wide" aside={<div class="choice">{choice}</div>}>
      <Show of={candles.value}>
        {({ candles: shown }) => {
          const last = shown.at(-1);
          return last === undefined ? (
            <Empty>No trades yet. Print one above, or advance the clock.</Empty>
          ) : (
            <>
              <p class="legend num">
                O {last.open} H {last.high} L {last.low} C {last.close} V {last.volume}
              </p>
              <CandleChart
                key={`${id} ${granularity}`}
                candles={shown}
                increment={product.priceIncrement}
                orders={orders.value.data?.orders ?? []}
              />
            </>
          );
        }}
      </Show>
    </Panel>
  );
};
