import { mostKept, type RecordedFrame, recordedBytes } from "../recording/recording.ts";

export type ReadFrame = Pick<RecordedFrame, "type" | "body">;

const types: Readonly<Record<number, RecordedFrame["type"]>> = {
  1: "text",
  2: "binary",
  8: "close",
  9: "ping",
  10: "pong",
};

/** The frame whose payload is being read. */
interface Current {
  readonly fin: boolean;
  readonly opcode: number;
  readonly mask: Buffer | undefined;
  readonly length: number;
  read: number;
}

/** The beginning of a message, and its length. */
interface Message {
  readonly type: RecordedFrame["type"];
  readonly kept: Buffer[];
  keptBytes: number;
  length: number;
}

/**
 * Reads the messages in one direction of a WebSocket from a copy of its bytes (RFC 6455). It keeps the beginning of a
 * message only, so its memory is bounded, and it never objects: after bytes that are no frames it reads no more.
 */
export class FrameReader {
  #head = Buffer.alloc(0);
  #frame: Current | undefined;
  #message: Message | undefined;
  #control: Message | undefined;
  #isLost = false;

  *read(bytes: Buffer): Generator<ReadFrame> {
    let rest = bytes;
    while (rest.length > 0 && !this.#isLost) {
      if (this.#frame === undefined) {
        rest = this.#readHead(rest);
        // as: the call above sets it.
        const frame = this.#frame as Current | undefined;
        if (frame === undefined || frame.length > 0) continue;
      } else rest = this.#readPayload(this.#frame, rest);
      const ended = this.#ended();
      if (ended !== undefined) yield ended;
    }
  }

  /** Takes bytes up to the end of the head of a frame. */
  #readHead(bytes: Buffer): Buffer {
    const had = this.#head.length;
    const all = Buffer.concat([this.#head, bytes.subarray(0, longestHead)]);
    const size = headSize(all);
    if (size === undefined || all.length < size) {
      this.#head = all;
      return bytes.subarray(longestHead);
    }
    this.#head = Buffer.alloc(0);
    const [first = 0, second = 0] = all;
    const opcode = first & 0x0f;
    const short = second & 0x7f;
    const length = short < 126 ? short : short === 126 ? all.readUInt16BE(2) : Number(all.readBigUInt64BE(2));
    // Compressed messages, which nobody agreed on, and opcodes that there are not.
    this.#isLost = (first & 0x70) !== 0 || (opcode !== 0 && types[opcode] === undefined);
    const mask = (second & 0x80) === 0 ? undefined : Buffer.from(all.subarray(size - 4, size));
    this.#frame = { fin: (first & 0x80) !== 0, opcode, mask, length, read: 0 };
    return bytes.subarray(size - had);
  }

  #readPayload(frame: Current, bytes: Buffer): Buffer {
    const part = bytes.subarray(0, frame.length - frame.read);
    const message = this.#messageOf(frame);
    const kept = Buffer.from(part.subarray(0, Math.max(0, mostKept - message.keptBytes)));
    if (frame.mask !== undefined)
      for (let at = 0; at < kept.length; at += 1)
        kept[at] = (kept[at] ?? 0) ^ (frame.mask[(frame.read + at) % 4] ?? 0);
    if (kept.length > 0) message.kept.push(kept);
    message.keptBytes += kept.length;
    message.length += part.length;
    frame.read += part.length;
    return bytes.subarray(part.length);
  }

  /** Control frames may come between the fragments of a message. */
  #messageOf({ opcode }: Current): Message {
    const type = types[opcode];
    if (type !== undefined && opcode >= 8) return (this.#control ??= emptyMessage(type));
    return (this.#message ??= emptyMessage(type ?? "binary"));
  }

  #ended(): ReadFrame | undefined {
    const frame = this.#frame;
    if (frame === undefined || frame.read < frame.length) return undefined;
    const message = this.#messageOf(frame);
    this.#frame = undefined;
    if (!frame.fin) return undefined;
    if (frame.opcode >= 8) this.#control = undefined;
    else this.#message = undefined;
    return { type: message.type, body: recordedBytes(Buffer.concat(message.kept), message.length) };
  }
}

const longestHead = 14;

const emptyMessage = (type: RecordedFrame["type"]): Message => ({ type, kept: [], keptBytes: 0, length: 0 });

function headSize(bytes: Buffer): number | undefined {
  const second = bytes[1];
  if (second === undefined) return undefined;
  const short = second & 0x7f;
  return 2 + (short === 126 ? 2 : short === 127 ? 8 : 0) + ((second & 0x80) === 0 ? 0 : 4);
}
