import { useSignal } from "@preact/signals";
import type { IChartApi, IPriceLine, ISeriesApi, UTCTimestamp } from "lightweight-charts";
import { useEffect, useRef } from "preact/hooks";
import { toDraw } from "../../lib/decimal.ts";
import type { Candles, OrderRow } from "../../lib/shapes.ts";
import { colour, monospace, paints } from "../../lib/theme.ts";
import { Empty } from "../../parts/states.tsx";

interface ChartProps {
  readonly candles: Candles["candles"];
  readonly increment: string;
  readonly orders: readonly OrderRow[];
}

interface Chart {
  readonly api: IChartApi;
  readonly series: ISeriesApi<"Candlestick">;
  lines: IPriceLine[];
}

/** Drawn by a library that is loaded when it is first needed. Its numbers are for pixels; the legend has the digits. */
export const CandleChart = ({ candles, increment, orders }: ChartProps) => {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const newest = useRef<ChartProps>({ candles, increment, orders });
  newest.current = { candles, increment, orders };
  const failed = useSignal(false);
  useEffect(() => {
    let gone = false;
    const ready = (made: Chart | null): void => {
      if (gone || made === null) return made?.api.remove();
      chart.current = made;
      show(made, newest.current);
      made.api.timeScale().fitContent();
    };
    makeChart(box.current, increment).then(ready, () => (failed.value = true));
    return () => {
      gone = true;
      chart.current?.api.remove();
      chart.current = null;
    };
  }, []);
  const painted = paints.value;
  useEffect(() => {
    if (chart.current !== null) show(chart.current, newest.current);
  }, [candles, orders]);
  useEffect(() => {
    chart.current?.api.applyOptions(look());
  }, [painted]);
  if (failed.value)
    return <Empty>The chart could not be loaded. Reload the page when the sandbox is back.</Empty>;
  return <div ref={box} class="chart" role="img" aria-label="Candles of the product" />;
};

const look = () => ({
  layout: {
    background: { color: "transparent" },
    textColor: colour("soft"),
    fontFamily: monospace(),
    // Said in the navigation instead: the logo is a link to elsewhere, with a style element of its own.
    attributionLogo: false,
  },
  grid: { vertLines: { color: colour("line") }, horzLines: { color: colour("line") } },
  timeScale: { timeVisible: true, borderColor: colour("line") },
  rightPriceScale: { borderColor: colour("line") },
});

/** The book is read before the chart: it is not to wait for a library. */
const untilIdle = (): Promise<unknown> =>
  new Promise((resolve) => {
    // Not every browser has the first.
    if ("requestIdleCallback" in globalThis) requestIdleCallback(resolve, { timeout: 1000 });
    else setTimeout(resolve, 100);
  });

async function makeChart(box: HTMLElement | null, increment: string): Promise<Chart | null> {
  if (box === null) return null;
  await untilIdle();
  const { CandlestickSeries, createChart } = await import("lightweight-charts");
  const api = createChart(box, { ...look(), autoSize: true });
  const [up, down] = [colour("good"), colour("bad")];
  const precision = increment.split(".")[1]?.length ?? 0;
  const series = api.addSeries(CandlestickSeries, {
    upColor: up,
    downColor: down,
    wickUpColor: up,
    wickDownColor: down,
    borderVisible: false,
    priceFormat: { type: "price", precision, minMove: toDraw(increment) },
  });
  return { api, series, lines: [] };
}

function show(chart: Chart, { candles, orders }: ChartProps): void {
  chart.series.setData(
    candles.map(({ timestamp, open, high, low, close }) => ({
      // as: seconds since the epoch.
      time: (Date.parse(timestamp) / 1000) as UTCTimestamp,
      open: toDraw(open),
      high: toDraw(high),
      low: toDraw(low),
      close: toDraw(close),
    })),
  );
  for (const line of chart.lines) chart.series.removePriceLine(line);
  chart.lines = orders.flatMap(({ client, order: { limitPrice, side } }) =>
    limitPrice === null
      ? []
      : [
          chart.series.createPriceLine({
            price: toDraw(limitPrice),
            color: colour(side === "BUY" ? "good" : "bad"),
            lineWidth: 1,
            lineStyle: 2,
            title: client,
          }),
        ],
  );
}
