/**
 * The formats that the specification names: decimal strings, UUID v4, ISO 8601, pair ids. The kit transcribes them on
 * its own; the simulator has its own version.
 */
export const formatNames = ["decimal", "uuid", "uuid4", "iso8601", "json-string", "product-id"] as const;
export type FormatName = (typeof formatNames)[number];

export function hasFormat(format: FormatName, text: string): boolean {
  switch (format) {
    case "decimal":
      return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);
    case "uuid":
      return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
    case "uuid4":
      return /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(text);
    case "iso8601":
      return isIsoTimestamp(text);
    case "json-string":
      return isJson(text);
    case "product-id":
      return /^[^-\s]+-[^-\s]+$/.test(text);
    default:
      return format satisfies never;
  }
}

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/;

/** Date, time and zone, on a day that exists: `2026-02-30T00:00:00Z` has the shape, but is no timestamp (GEN-06). */
function isIsoTimestamp(text: string): boolean {
  const match = isoPattern.exec(text);
  if (match === null) return false;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
