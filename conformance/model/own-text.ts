/**
 * A copy of the text with its own memory. V8 keeps the whole text alive for each slice of it, so a slice that outlives
 * an answer of four megabytes must be copied.
 */
export function ownText(piece: string): string {
  return piece.length < 13 ? piece : Buffer.from(piece, "utf16le").toString("utf16le");
}
