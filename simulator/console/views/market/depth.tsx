import { useEffect, useRef } from "preact/hooks";
import { toDraw } from "../../lib/decimal.ts";
import type { Book } from "../../lib/shapes.ts";
import { colour, monospace, paints } from "../../lib/theme.ts";
import { withTotals } from "./book-table.tsx";

interface Point {
  readonly price: number;
  readonly total: number;
}

/** How much rests up to each price, on a canvas. The table of the book says the same in digits. */
export const Depth = ({ book }: { readonly book: Book }) => {
  const canvas = useRef<HTMLCanvasElement>(null);
  const painted = paints.value;
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const redraw = (): void => draw(element, book);
    redraw();
    const watcher = new ResizeObserver(redraw);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [book, painted]);
  const label = `Depth of the book: bids from ${book.product.bestBid ?? "none"} down, asks from ${book.product.bestAsk ?? "none"} up`;
  return <canvas ref={canvas} class="depth" role="img" aria-label={label} />;
};

/** Lone orders far away would press all others into a line. */
function nearMiddle(bids: readonly Point[], asks: readonly Point[]): [readonly Point[], readonly Point[]] {
  const middle = ((bids[0] ?? asks[0])?.price ?? 0) / 2 + ((asks[0] ?? bids[0])?.price ?? 0) / 2;
  const away = [...bids, ...asks].map(({ price }) => Math.abs(price - middle)).sort((a, b) => a - b);
  const most = (away[Math.floor(away.length / 2)] ?? 0) * 2.5;
  const isNear = ({ price }: Point): boolean => Math.abs(price - middle) <= most;
  return [bids.filter(isNear), asks.filter(isNear)];
}

const points = (levels: Book["bids"]): Point[] =>
  withTotals(levels).map(({ level, total }) => ({ price: toDraw(level.price), total: toDraw(total) }));

function draw(canvas: HTMLCanvasElement, book: Book): void {
  const context = canvas.getContext("2d");
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (context === null || width === 0) return;
  const ratio = devicePixelRatio;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  context.scale(ratio, ratio);
  const [bids, asks] = nearMiddle(points(book.bids), points(book.asks));
  const all = [...bids, ...asks];
  if (all.length === 0) return;
  const [low, high] = [
    Math.min(...all.map(({ price }) => price)),
    Math.max(...all.map(({ price }) => price)),
  ];
  const most = Math.max(...all.map(({ total }) => total));
  const x = (price: number): number => ((price - low) / (high - low || 1)) * width;
  const y = (total: number): number => height - 18 - (total / most) * (height - 30);
  steps(context, bids, x, y, height - 18, colour("good"));
  steps(context, asks, x, y, height - 18, colour("bad"));
  context.fillStyle = colour("soft");
  context.font = `11px ${monospace()}`;
  context.fillText(book.bids[bids.length - 1]?.price ?? "", 4, height - 5);
  const right = book.asks[asks.length - 1]?.price ?? "";
  context.fillText(right, width - context.measureText(right).width - 4, height - 5);
}

function steps(
  context: CanvasRenderingContext2D,
  side: readonly Point[],
  x: (price: number) => number,
  y: (total: number) => number,
  floor: number,
  ink: string,
): void {
  const [first] = side;
  if (first === undefined) return;
  const path = new Path2D();
  path.moveTo(x(first.price), floor);
  let before = floor;
  for (const { price, total } of side) {
    path.lineTo(x(price), before);
    before = y(total);
    path.lineTo(x(price), before);
  }
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  context.stroke(path);
  path.lineTo(x(side.at(-1)?.price ?? first.price), floor);
  context.globalAlpha = 0.15;
  context.fillStyle = ink;
  context.fill(path);
  context.globalAlpha = 1;
}
