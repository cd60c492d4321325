/** The response envelope of every success (ENV-01..08). All four keys are always there (F-envelope-optional-keys). */

/** `data` is JSON text already: hot records are written by templates, not by re-walking objects. */
export function envelope(statusCode: number, message: string, data: string): string {
  return `{"statusCode":${statusCode},"success":true,"message":${JSON.stringify(message)},"data":${data}}`;
}

/** ISO 8601 in UTC with milliseconds, the one time format of the wire (F-timestamp-output). */
export function isoTime(at: number): string {
  if (at !== lastAt) {
    lastAt = at;
    lastText = new Date(at).toISOString();
  }
  return lastText;
}

/** Records of one moment carry the same time several times over. */
let lastAt = Number.NaN;
let lastText = "";
