/** The response envelope of every success (ENV-01..08). All four keys are always there (F-envelope-optional-keys). */

/** `data` is JSON text already: hot records are written by templates, not by re-walking objects. */
export function envelope(statusCode: number, message: string, data: string): string {
  return `{"statusCode":${statusCode},"success":true,"message":${JSON.stringify(message)},"data":${data}}`;
}

/**
 * ISO 8601 in UTC with milliseconds, the one time format of the wire (F-timestamp-output). A time that no calendar has
 * is shown as the last or the first one that it has: an answer never fails for a number.
 */
export function isoTime(at: number): string {
  if (at !== lastAt) {
    lastAt = at;
    lastText = new Date(Math.min(Math.max(at || 0, -lastTime), lastTime)).toISOString();
  }
  return lastText;
}

/** Milliseconds that a `Date` can hold. */
const lastTime = 8.64e15;

/** Records of one moment carry the same time several times over. */
let lastAt = Number.NaN;
let lastText = "";
