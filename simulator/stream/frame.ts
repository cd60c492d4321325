/**
 * Text frames of a server according to RFC 6455: unmasked, whole, uncompressed. A message is made once for all its
 * receivers, as the text after its number; each connection puts its own `sequence` in front while it copies.
 */

/** The text before the number of each message. */
const opening = Buffer.from('{"sequence":');
const textFrame = 0x81;

/** A message without its number: what follows it, starting with a comma. */
export type Body = Buffer;

export const bodyOf = (text: string): Body => Buffer.from(text);

/** The text of a message that is lost: it is counted and never arrives. */
export const lost = "";

/** Bytes of the whole frame of a message with this number. */
export function frameSize(body: Body, sequence: number): number {
  const payload = opening.length + digitsOf(sequence) + body.length;
  return payload + (payload < 126 ? 2 : payload < 65_536 ? 4 : 10);
}

/** Writes the frame at `at` and returns where it ends. */
export function writeFrame(into: Buffer, at: number, body: Body, sequence: number): number {
  const digits = digitsOf(sequence);
  let end = writeHeader(into, at, opening.length + digits + body.length);
  into.set(opening, end);
  end += opening.length + digits;
  for (let rest = sequence, digit = 1; digit <= digits; digit++) {
    into[end - digit] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  into.set(body, end);
  return end + body.length;
}

function writeHeader(into: Buffer, at: number, payload: number): number {
  into[at] = textFrame;
  if (payload < 126) {
    into[at + 1] = payload;
    return at + 2;
  }
  if (payload < 65_536) {
    into[at + 1] = 126;
    return into.writeUInt16BE(payload, at + 2);
  }
  into[at + 1] = 127;
  into.writeUInt32BE(0, at + 2);
  return into.writeUInt32BE(payload, at + 6);
}

function digitsOf(sequence: number): number {
  let digits = 1;
  for (let bound = 10; sequence >= bound; bound *= 10) digits++;
  return digits;
}
