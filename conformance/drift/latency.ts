import type { Exchange } from "../model/exchange.ts";

/** How long the answers of an operation took on each target. */
export interface LatencyDrift {
  readonly operation: string;
  readonly a: string;
  readonly b: string;
}

const classes = [
  [10, "under 10 ms"],
  [100, "under 100 ms"],
  [1000, "under 1 s"],
  [Number.POSITIVE_INFINITY, "1 s or more"],
] as const;

/** Operations whose medians are two classes apart: one class is the noise of a machine. */
export function latencyDrift(a: readonly Exchange[], b: readonly Exchange[]): LatencyDrift[] {
  const [here, there] = [mediansOf(a), mediansOf(b)];
  return [...here].flatMap(([operation, ms]) => {
    const other = there.get(operation);
    if (other === undefined || Math.abs(classOf(ms) - classOf(other)) < 2) return [];
    return [{ operation, a: nameOf(ms), b: nameOf(other) }];
  });
}

const classOf = (ms: number): number => classes.findIndex(([limit]) => ms < limit);
const nameOf = (ms: number): string => classes[classOf(ms)]?.[1] ?? "";

function mediansOf(exchanges: readonly Exchange[]): Map<string, number> {
  const times = new Map<string, number[]>();
  for (const { request, startedAt, endedAt, transport } of exchanges)
    if (transport === "response" && request.operation !== undefined)
      times.set(request.operation, [...(times.get(request.operation) ?? []), endedAt - startedAt]);
  return new Map(
    [...times].map(([operation, all]) => [
      operation,
      all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0,
    ]),
  );
}
