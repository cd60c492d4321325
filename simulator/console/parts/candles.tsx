/** Candles of a product. The chart draws with floats, and nothing else reads them. */
import {
  CandlestickSeries,
  ColorType,
  createChart,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useRef } from "preact/hooks";
import type { Answer } from "../api.ts";
import { colour, theme } from "../theme.ts";

type Candle = Answer<"product", "candles">["candles"][number];

export function Candles({
  candles,
  increment,
}: {
  readonly candles: readonly Candle[];
  readonly increment: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<{ readonly api: IChartApi; readonly series: ISeriesApi<"Candlestick"> } | null>(null);

  useEffect(() => {
    if (box.current === null) return;
    const api = createChart(box.current, {
      autoSize: true,
      // Named in the foot of the page instead: the logo would bring a style of its own past the policy.
      layout: { attributionLogo: false, background: { type: ColorType.Solid, color: "transparent" } },
      timeScale: { timeVisible: true, secondsVisible: false, rightOffset: 6, barSpacing: 9 },
    });
    chart.current = { api, series: api.addSeries(CandlestickSeries, {}) };
    return () => api.remove();
  }, []);

  useEffect(() => {
    const [line, soft, up, down] = [colour("--line"), colour("--soft"), colour("--good"), colour("--bad")];
    chart.current?.api.applyOptions({
      layout: { textColor: soft },
      grid: { vertLines: { color: line }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line },
    });
    chart.current?.series.applyOptions({
      upColor: up,
      downColor: down,
      borderVisible: false,
      wickUpColor: up,
      wickDownColor: down,
      priceFormat: {
        type: "price",
        precision: increment.split(".")[1]?.length ?? 0,
        minMove: Number(increment),
      },
    });
  }, [theme.value, increment]);

  useEffect(() => {
    chart.current?.series.setData(
      candles.map(({ timestamp, open, high, low, close }) => ({
        time: (Date.parse(timestamp) / 1000) as UTCTimestamp,
        open: Number(open),
        high: Number(high),
        low: Number(low),
        close: Number(close),
      })),
    );
  }, [candles]);

  return (
    <div
      class="chart"
      role="img"
      aria-label={`Candles of one minute; last close ${candles.at(-1)?.close ?? "none"}`}
      ref={box}
    />
  );
}
