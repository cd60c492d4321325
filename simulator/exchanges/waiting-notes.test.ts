/** What waits to be written is bounded, whoever sends it. */
import { describe, expect, it } from "vitest";
import { exchange } from "./testing/exchange.ts";
import { mostAlike, mostWaiting, mostWaitingBytes, type WaitingNote, WaitingNotes } from "./waiting-notes.ts";

const note = (id: string, more: Partial<WaitingNote> = {}): WaitingNote => ({
  note: () => exchange(id),
  bytes: 100,
  like: null,
  ...more,
});
const taken = (notes: WaitingNotes): readonly string[] => notes.take().map((one) => one().id);

describe("notes that wait", () => {
  it("are bounded in number and in bytes, and the oldest make room", () => {
    const notes = new WaitingNotes();
    for (let id = 0; id < 3 * mostWaiting; id += 1) notes.add(note(String(id)));
    expect([notes.count, notes.dropped]).toEqual([mostWaiting, 2 * mostWaiting]);
    expect(taken(notes).slice(0, 2)).toEqual([String(2 * mostWaiting), String(2 * mostWaiting + 1)]);
    const bytes = 10_000;
    for (let id = 0; id < 3 * mostWaiting; id += 1) notes.add(note(String(id), { bytes }));
    expect(notes.count).toBe(Math.floor(mostWaitingBytes / bytes));
    expect(taken(notes).at(-1)).toBe(String(3 * mostWaiting - 1));
    notes.add(note("large", { bytes: 2 * mostWaitingBytes }));
    expect([notes.count, taken(notes)]).toEqual([1, ["large"]]);
  });

  it("are few where refusals are alike, and push out nothing else", () => {
    const notes = new WaitingNotes();
    notes.add(note("first"));
    for (let id = 0; id < 2 * mostWaiting; id += 1) notes.add(note(String(id), { like: "a" }));
    notes.add(note("other", { like: "b" }));
    expect(notes.dropped).toBe(2 * mostWaiting - mostAlike);
    const ids = taken(notes);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([mostAlike + 2, "first", "other"]);
    notes.add(note("again", { like: "a" }));
    expect(taken(notes)).toEqual(["again"]);
  });

  it("leave the place of a refusal to another one that is alike", () => {
    const notes = new WaitingNotes();
    const large = { bytes: mostWaitingBytes / 2 };
    for (let id = 0; id < mostAlike; id += 1) notes.add(note(String(id), { ...large, like: "a" }));
    notes.add(note("last", { ...large, like: "a" }));
    expect(taken(notes)).toEqual([String(mostAlike - 1), "last"]);
  });
});
