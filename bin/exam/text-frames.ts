/** The text messages in what a server sends on a WebSocket: whole frames, unmasked and uncompressed (RFC 6455). */

const textFrame = 0x81;
const headEnd = "\r\n\r\n";

export class TextFrames {
  #waiting: Buffer = Buffer.alloc(0);
  #isOpen = false;

  /** The messages that end in these bytes. The bytes of the handshake come first. */
  read(bytes: Buffer): string[] {
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    if (!this.#isOpen) {
      const end = this.#waiting.indexOf(headEnd);
      if (end === -1) return [];
      this.#waiting = this.#waiting.subarray(end + headEnd.length);
      this.#isOpen = true;
    }
    const texts: string[] = [];
    for (let frame = frameIn(this.#waiting); frame !== undefined; frame = frameIn(this.#waiting)) {
      if (this.#waiting[0] === textFrame) texts.push(this.#waiting.toString("utf8", frame.from, frame.to));
      this.#waiting = this.#waiting.subarray(frame.to);
    }
    return texts;
  }
}

/** The payload of the first frame, if all of it is there. */
function frameIn(bytes: Buffer): { readonly from: number; readonly to: number } | undefined {
  const short = (bytes[1] ?? 0) & 0x7f;
  const from = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < from) return undefined;
  const length = from === 2 ? short : from === 4 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return bytes.length < from + length ? undefined : { from, to: from + length };
}
