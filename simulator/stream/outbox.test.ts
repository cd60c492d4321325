import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { bodyOf, frameSize, writeFrame } from "./frame.ts";
import { Outbox } from "./outbox.ts";

/** A socket that takes what it is told to, and keeps it. */
class FakeSocket {
  readonly writable = true;
  writableLength = 0;
  readonly taken: Buffer[] = [];
  isFull = false;
  private waiting: (() => void)[] = [];

  write(chunk: Buffer, done: () => void): boolean {
    this.taken.push(Buffer.from(chunk));
    if (this.isFull) this.writableLength += chunk.length;
    if (this.isFull) this.waiting.push(done);
    else queueMicrotask(done);
    return !this.isFull;
  }

  drain(): void {
    this.isFull = false;
    this.writableLength = 0;
    for (const done of this.waiting.splice(0)) done();
  }
}

/** The texts of the frames in these bytes. */
function textsIn(chunks: readonly Buffer[]): string[] {
  const bytes = Buffer.concat(chunks);
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe(0x81);
    const short = bytes[at + 1] ?? 0;
    const [length, head] =
      short < 126
        ? [short, 2]
        : short === 126
          ? [bytes.readUInt16BE(at + 2), 4]
          : [Number(bytes.readBigUInt64BE(at + 2)), 10];
    texts.push(bytes.toString("utf8", at + head, at + head + length));
    at += head + length;
  }
  return texts;
}

const limits = { bytes: 10_000, messages: 5 };
const message = (text: string): Buffer => bodyOf(`,"data":${JSON.stringify(text)}}`);

function setUp(): { socket: FakeSocket; outbox: Outbox; told: number[] } {
  const socket = new FakeSocket();
  const told: number[] = [];
  // as: the part of a socket that an outbox uses.
  const outbox = new Outbox(socket as unknown as Socket, limits, () => told.push(1));
  return { socket, outbox, told };
}

describe("a frame", () => {
  test.each([1, 9, 10, 99, 100, 12_345, 2 ** 31, 2 ** 40])("carries the number %i in front", (sequence) => {
    const body = message("x");
    const bytes = Buffer.alloc(frameSize(body, sequence));
    expect(writeFrame(bytes, 0, body, sequence)).toBe(bytes.length);
    expect(textsIn([bytes])).toEqual([`{"sequence":${sequence},"data":"x"}`]);
  });

  test.each([100, 101, 102, 103, 110, 125, 126, 65_500, 65_510, 65_513, 65_514, 65_520, 70_000])(
    "is as long as it says at %i characters",
    (length) => {
      const body = message("é".repeat(length >> 1));
      const bytes = Buffer.alloc(frameSize(body, 7));
      expect(writeFrame(bytes, 0, body, 7)).toBe(bytes.length);
      expect(textsIn([bytes])).toEqual([`{"sequence":7${body.toString()}`]);
    },
  );
});

describe("an outbox", () => {
  test("sends everything of a turn in one write, numbered from 1", () => {
    const { socket, outbox } = setUp();
    for (const text of ["a", "b", "c"]) outbox.push(message(text));
    outbox.flush(0);
    expect(socket.taken).toHaveLength(1);
    expect(textsIn(socket.taken)).toEqual(
      ["a", "b", "c"].map((text, index) => `{"sequence":${index + 1},"data":"${text}"}`),
    );
    expect(outbox.isEmpty).toBe(true);
  });

  test("waits for a socket that took nothing, and then goes on where it was", () => {
    const { socket, outbox, told } = setUp();
    socket.isFull = true;
    outbox.push(message("a"));
    outbox.flush(0);
    outbox.push(message("b"));
    outbox.flush(1);
    expect([socket.taken.length, outbox.messages, outbox.isBlocked]).toEqual([1, 1, true]);
    socket.drain();
    expect(told).toEqual([1]);
    outbox.flush(2);
    expect(textsIn(socket.taken).map((text) => JSON.parse(text) as object)).toEqual([
      { sequence: 1, data: "a" },
      { sequence: 2, data: "b" },
    ]);
  });

  test("writes no more at once than a chunk or so", () => {
    const { socket, outbox } = setUp();
    for (let sent = 0; sent < 200; sent++) outbox.push(message("x".repeat(1000)));
    outbox.flush(0);
    expect(socket.taken.length).toBeGreaterThan(2);
    expect(Math.max(...socket.taken.map(({ length }) => length))).toBeLessThan(70_000);
    expect(textsIn(socket.taken)).toHaveLength(200);
  });

  const stuck = (): ReturnType<typeof setUp> => {
    const made = setUp();
    made.socket.isFull = true;
    made.outbox.push(message("first"));
    made.outbox.flush(1000);
    return made;
  };

  test("is too slow when it is over its bound and the socket took nothing for a second", () => {
    const { outbox } = stuck();
    for (let sent = 0; sent < 5; sent++) outbox.push(message("x"));
    expect(outbox.isTooSlow(9000)).toBe(false);
    outbox.push(message("x"));
    expect(outbox.isTooSlow(1999)).toBe(false);
    expect(outbox.isTooSlow(2000)).toBe(true);
  });

  test("is too slow at once far over its bound, by messages or by bytes", () => {
    const messages = stuck().outbox;
    for (let sent = 0; sent < 81; sent++) messages.push(message("x"));
    expect(messages.isTooSlow(1000)).toBe(true);
    const bytes = stuck().outbox;
    bytes.push(message("x".repeat(160_001)));
    expect(bytes.isTooSlow(1000)).toBe(true);
  });

  test("does not hold against its reader what the reader asked for, until that has left", () => {
    const { outbox, socket } = stuck();
    for (let sent = 0; sent < 50; sent++) outbox.push(message("snapshot"));
    outbox.forgiveBacklog();
    expect([outbox.isFull, outbox.isTooSlow(99_000)]).toEqual([true, false]);
    for (let sent = 0; sent < 6; sent++) outbox.push(message("x"));
    expect(outbox.isTooSlow(99_000)).toBe(true);
    socket.drain();
    outbox.flush(3000);
    expect(outbox.isFull).toBe(false);
    socket.isFull = true;
    for (let sent = 0; sent < 7; sent++) {
      outbox.push(message("x"));
      outbox.flush(4000);
    }
    expect(outbox.isTooSlow(5000)).toBe(true);
  });
});
