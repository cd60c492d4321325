import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { StreamFault } from "../domain/fault.ts";
import { FaultInjector } from "./fault-injector.ts";
import { bodyOf, frameSize, writeFrame } from "./frame.ts";
import { SendQueue } from "./send-queue.ts";
import { FakeSocket } from "./testing/fake-socket.ts";

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

function setUp(): { socket: FakeSocket; queue: SendQueue; told: number[] } {
  const socket = new FakeSocket();
  const told: number[] = [];
  // as: the part of a socket that a queue uses.
  const queue = new SendQueue(socket as unknown as Socket, limits, () => told.push(1));
  return { socket, queue, told };
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

describe("a send queue", () => {
  test("sends everything of a turn in one write, numbered from 1", () => {
    const { socket, queue } = setUp();
    for (const text of ["a", "b", "c"]) queue.push(message(text));
    queue.flush(0);
    expect(socket.taken).toHaveLength(1);
    expect(textsIn(socket.taken)).toEqual(
      ["a", "b", "c"].map((text, index) => `{"sequence":${index + 1},"data":"${text}"}`),
    );
    expect([queue.messages, queue.isBlocked]).toEqual([0, false]);
  });

  test("waits for a socket that took nothing, and then goes on where it was", () => {
    const { socket, queue, told } = setUp();
    socket.isFull = true;
    queue.push(message("a"));
    queue.flush(0);
    queue.push(message("b"));
    queue.flush(1);
    expect([socket.taken.length, queue.messages, queue.isBlocked]).toEqual([1, 1, true]);
    socket.drain();
    expect(told).toEqual([1]);
    queue.flush(2);
    expect(textsIn(socket.taken).map((text) => JSON.parse(text) as object)).toEqual([
      { sequence: 1, data: "a" },
      { sequence: 2, data: "b" },
    ]);
  });

  test("writes no more at once than a chunk or so", () => {
    const { socket, queue } = setUp();
    for (let sent = 0; sent < 200; sent++) queue.push(message("x".repeat(1000)));
    queue.flush(0);
    expect(socket.taken.length).toBeGreaterThan(2);
    expect(Math.max(...socket.taken.map(({ length }) => length))).toBeLessThan(70_000);
    expect(textsIn(socket.taken)).toHaveLength(200);
  });

  const stuck = (): ReturnType<typeof setUp> => {
    const made = setUp();
    made.socket.isFull = true;
    made.queue.push(message("first"));
    made.queue.flush(1000);
    return made;
  };

  test("is too slow when it is over its bound and the socket took nothing for a second", () => {
    const { queue } = stuck();
    for (let sent = 0; sent < 5; sent++) queue.push(message("x"));
    expect(queue.isTooSlow(9000)).toBe(false);
    queue.push(message("x"));
    expect(queue.isTooSlow(1999)).toBe(false);
    expect(queue.isTooSlow(2000)).toBe(true);
  });

  test("is too slow at once far over its bound, by messages or by bytes", () => {
    const messages = stuck().queue;
    for (let sent = 0; sent < 81; sent++) messages.push(message("x"));
    expect(messages.isTooSlow(1000)).toBe(true);
    const bytes = stuck().queue;
    bytes.push(message("x".repeat(160_001)));
    expect(bytes.isTooSlow(1000)).toBe(true);
  });

  test("does not count requested messages as slow reading until they were sent", () => {
    const { queue, socket } = stuck();
    for (let sent = 0; sent < 50; sent++) queue.push(message("snapshot"));
    queue.forgiveBacklog();
    expect([queue.isFull, queue.isTooSlow(99_000)]).toEqual([true, false]);
    for (let sent = 0; sent < 6; sent++) queue.push(message("x"));
    expect(queue.isTooSlow(99_000)).toBe(true);
    socket.drain();
    queue.flush(3000);
    expect(queue.isFull).toBe(false);
    socket.isFull = true;
    for (let sent = 0; sent < 7; sent++) {
      queue.push(message("x"));
      queue.flush(4000);
    }
    expect(queue.isTooSlow(5000)).toBe(true);
  });
});

describe("a fault", () => {
  /** Numbers and texts as they were sent. */
  const sent = (faults: readonly (StreamFault | null)[]): string => {
    const { socket, queue } = setUp();
    const injector = new FaultInjector(queue, { terminate: () => socket.drain() }, () => undefined);
    for (const [index, fault] of faults.entries()) injector.push(message(`m${index + 1}`), fault, 0);
    queue.push(message("last"));
    queue.flush(0);
    return textsIn(socket.taken)
      .map((text) => JSON.parse(text) as { sequence: number; data: string })
      .map(({ sequence, data }) => `${sequence} ${data}`)
      .join(", ");
  };

  const reorder: StreamFault = { kind: "streamReorder" };
  test.each<[string, readonly (StreamFault | null)[], string]>([
    ["none", [null, null], "1 m1, 2 m2, 3 last"],
    ["a loss leaves a gap", [null, { kind: "streamDrop" }], "1 m1, 3 last"],
    ["a repeat has its number again", [{ kind: "streamDuplicate" }], "1 m1, 1 m1, 2 last"],
    ["a late one comes behind the next", [reorder, null], "2 m2, 1 m1, 3 last"],
    ["one that waits lets a dropped one pass", [reorder, { kind: "streamDrop" }], "2 m2, 1 m1, 3 last"],
  ])("%s", (_name, faults, expected) => {
    expect(sent(faults)).toBe(expected);
  });
});
