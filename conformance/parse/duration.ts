const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `300ms`, `5s`, `1.5m`: the one spelling of times in scenarios. Undefined when it is not one. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  if (match === null) return undefined;
  return Math.round(Number(match[1]) * units[match[2] as keyof typeof units]);
}
