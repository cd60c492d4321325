const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The longest wait that a file may ask for. A timer of Node with 25 days fires at once. */
export const longestWaitMs = 3_600_000;
/** The longest shift of a clock or a timestamp. */
export const longestShiftMs = 36_500 * units.d;

/**
 * `300ms`, `5s`, `1.5m`: the one spelling of times in scenarios and profiles; undefined for any other text. Lint
 * refuses longer durations than allowed. Values that only the run knows, such as a column, have the same limit.
 */
export function durationMs(text: string, most = longestWaitMs): number | undefined {
  const given = asWritten(text);
  return given === undefined ? undefined : Math.min(given, most);
}

/** The problem of a duration in a file. */
export function durationProblem(text: string, most = longestWaitMs): string | undefined {
  const given = asWritten(text);
  if (given === undefined || given <= most) return undefined;
  return most === longestWaitMs
    ? `${text} is too long: no wait is longer than 1h`
    : `${text} is too far: a clock is moved by 36500d at most`;
}

function asWritten(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  if (match === null) return undefined;
  return Math.round(Number(match[1]) * units[match[2] as keyof typeof units]);
}
