/** Times in UTC, with the local one beside them. */

export const clockText = (iso: string): string => iso.slice(11, 23);
export const dayText = (iso: string): string => iso.slice(0, 10);

/** For a title. */
export const localText = (iso: string): string => {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : `${iso} UTC\n${at.toLocaleString()} here`;
};

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `1h30m` in milliseconds, or null. */
export function durationMs(text: string): number | null {
  const parts = [...text.trim().matchAll(/(\d+)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([all]) => all).join("") !== text.trim()) return null;
  return parts.reduce((total, [, count = "0", unit = "ms"]) => total + Number(count) * (units[unit] ?? 0), 0);
}
