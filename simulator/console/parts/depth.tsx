/** The depth of a book: how much rests up to each price. Floats are for pixels alone. */
import { useEffect, useRef } from "preact/hooks";
import { colour, theme } from "../theme.ts";

interface Level {
  readonly price: string;
  readonly quantity: string;
}

export function Depth({ bids, asks }: { readonly bids: readonly Level[]; readonly asks: readonly Level[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const drawn = canvas.current;
    if (drawn === null) return;
    const draw = (): void => paint(drawn, bids, asks);
    draw();
    const seen = new ResizeObserver(draw);
    seen.observe(drawn);
    return () => seen.disconnect();
  }, [bids, asks, theme.value]);
  return (
    <canvas
      class="depth"
      role="img"
      aria-label={`Depth: ${bids.length} prices of buyers, ${asks.length} of sellers`}
      ref={canvas}
    />
  );
}

function paint(canvas: HTMLCanvasElement, bids: readonly Level[], asks: readonly Level[]): void {
  const context = canvas.getContext("2d");
  const { clientWidth: width, clientHeight: height } = canvas;
  if (context === null || width === 0) return;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = height * scale;
  context.scale(scale, scale);
  const sides = [summed(bids), summed(asks)] as const;
  const prices = sides.flat().map(([price]) => price);
  const most = Math.max(...sides.flat().map(([, sum]) => sum), 0);
  if (prices.length === 0 || most === 0) return;
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const x = (price: number): number => (high === low ? width / 2 : ((price - low) / (high - low)) * width);
  const y = (sum: number): number => height - (sum / most) * (height - 6);
  const fill = (steps: readonly (readonly [number, number])[], to: number, color: string): void => {
    const [first] = steps;
    if (first === undefined) return;
    context.beginPath();
    context.moveTo(x(first[0]), height);
    let before = height;
    for (const [price, sum] of steps) {
      context.lineTo(x(price), before);
      context.lineTo(x(price), y(sum));
      before = y(sum);
    }
    context.lineTo(to, before);
    context.lineTo(to, height);
    context.globalAlpha = 0.25;
    context.fillStyle = color;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = color;
    context.stroke();
  };
  fill(sides[0], 0, colour("--good"));
  fill(sides[1], width, colour("--bad"));
}

function summed(levels: readonly Level[]): (readonly [number, number])[] {
  let sum = 0;
  return levels.map(({ price, quantity }) => {
    sum += Number(quantity);
    return [Number(price), sum] as const;
  });
}
