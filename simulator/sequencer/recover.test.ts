/** Recovery: the journal gives back the state it came from, or names the first entry that does not fit. */
import { describe, expect, test } from "vitest";
import { captureSnapshot, stateHash } from "../engine/snapshot.ts";
import { recordScript, type Script } from "../engine/testing/script.ts";
import { worldOf } from "../engine/testing/venue-spec.ts";
import type { JournalEntry } from "./ports.ts";
import { JournalDiverged, recover } from "./recover.ts";
import { MemoryJournal } from "./testing/memory-journal.ts";
import { type Running, start } from "./testing/running.ts";

async function ran(script: Script): Promise<Running> {
  const running = start(script.spec);
  for (const { wait, command } of script.steps) {
    running.clock.set(running.clock.now() + wait);
    await running.sequencer.submit(command);
  }
  return running;
}

const changed = (bytes: Uint8Array, from: string, to: string): Uint8Array =>
  Buffer.from(Buffer.from(bytes).toString().replace(from, to));

const recordedScript = recordScript(77, 150);

describe("recovery", () => {
  test.each([1, 2, 3, 4])(
    "of stream %i gives the same state, the same hash and the same future",
    async (seed) => {
      const script = recordScript(seed, 160);
      const running = await ran(script);
      const { state, hash, replayed } = recover(running.journal, worldOf(script.spec));
      expect(hash).toBe(running.sequencer.hash);
      expect(stateHash(state)).toBe(stateHash(running.sequencer.state));
      expect(replayed).toBe(running.journal.committed.entries.length);
      const again = start(script.spec, { journal: running.journal });
      const to = running.clock.now() + 500;
      await again.sequencer.advanceTo(to);
      expect(again.sequencer.state.now).toBe(to);
      const third = recover(running.journal, worldOf(script.spec));
      expect(stateHash(third.state)).toBe(stateHash(again.sequencer.state));
    },
  );

  test("from a snapshot in the middle ends in the same state as the whole journal", async () => {
    const { spec, steps } = recordedScript;
    const half = await ran({ spec, steps: steps.slice(0, 70) });
    const { state, hash } = half.sequencer;
    half.journal.saveSnapshot({ seq: state.seq, hash, engineVersion: "test", body: captureSnapshot(state) });
    for (const { wait, command } of steps.slice(70)) {
      half.clock.set(half.clock.now() + wait);
      await half.sequencer.submit(command);
    }
    const fromSnapshot = recover(half.journal, worldOf(spec));
    half.journal.snapshot = null;
    const fromStart = recover(half.journal, worldOf(spec));
    expect(fromSnapshot.passedOver).toBeNull();
    expect(fromSnapshot.replayed).toBeLessThan(fromStart.replayed);
    expect(fromSnapshot.hash).toBe(fromStart.hash);
    expect(stateHash(fromSnapshot.state)).toBe(stateHash(fromStart.state));
  });

  test.each<readonly [string, (whole: Uint8Array) => Uint8Array, RegExp]>([
    [
      "of another layout",
      (whole) => changed(whole, '{"snapshot":8}', '{"snapshot":1}'),
      /entry 5 .* has layout 1, and .* reads layout 8/,
    ],
    [
      "of an earlier program",
      () => Uint8Array.of(0x47, 0x57, 0x53, 0x4e, 4, 0, 0, 0),
      /does not begin as a snapshot does/,
    ],
    ["that is something else", () => Buffer.from('{"version":1}\n'), /does not begin as a snapshot does/],
    ["that ends early", (whole) => whole.subarray(0, -1), /last line is cut off/],
    [
      "that lacks its last line",
      (whole) => whole.subarray(0, whole.lastIndexOf(10, -2) + 1),
      /ends too early/,
    ],
    ["that is empty", () => new Uint8Array(), /does not begin as a snapshot does/],
    ["with something behind it", (whole) => Buffer.concat([whole, whole]), /something follows its end/],
    ["whose head is no text", (whole) => changed(whole, '{"seq"', "{seq"), /cannot be read/],
  ])("passes over a snapshot %s, says so and replays the journal", async (_what, damage, reason) => {
    const { journal, sequencer } = await ran(recordedScript);
    const body = damage(captureSnapshot(sequencer.state));
    journal.saveSnapshot({ seq: 5, hash: "x", engineVersion: "old", body });
    const recovered = recover(journal, worldOf(recordedScript.spec));
    expect(recovered.passedOver).toMatch(reason);
    expect(recovered.hash).toBe(sequencer.hash);
    expect(stateHash(recovered.state)).toBe(stateHash(sequencer.state));
  });

  test("passes over a snapshot that contradicts itself, too", async () => {
    const { journal, sequencer } = await ran(recordedScript);
    const { state } = recover(journal, worldOf(recordedScript.spec));
    const [one, other] = [...state.orders.values()];
    if (one === undefined || other === undefined) throw new RangeError("too few orders");
    const terms = { ...other.terms, client: one.terms.client, clientOrderId: one.terms.clientOrderId };
    state.orders.set(other.terms.number, { ...other, terms });
    journal.saveSnapshot({ seq: 5, hash: "x", engineVersion: "test", body: captureSnapshot(state) });
    const recovered = recover(journal, worldOf(recordedScript.spec));
    expect(recovered.passedOver).toMatch(
      /entry 5 cannot be read \(client \d has two orders with client_order_id/,
    );
    expect(stateHash(recovered.state)).toBe(stateHash(sequencer.state));
  });

  test("stops at a snapshot with an order that is missing from the book", async () => {
    const { journal } = await ran(recordedScript);
    const { state, hash } = recover(journal, worldOf(recordedScript.spec));
    const resting = [...state.orders.values()].find(({ slot }) => slot >= 0);
    if (resting === undefined) throw new RangeError("nothing rests");
    state.market(resting.terms.product).book.remove(resting.slot);
    journal.saveSnapshot({ seq: state.seq, hash, engineVersion: "test", body: captureSnapshot(state) });
    expect(() => recover(journal, worldOf(recordedScript.spec))).toThrow(
      /and its place in the book disagree/,
    );
  });

  test("of an empty journal is the world at its birth", () => {
    const { state, replayed } = recover(new MemoryJournal(), worldOf(recordedScript.spec));
    expect([state.seq, replayed]).toEqual([0, 0]);
  });
});

type Tampering = readonly [what: string, change: (entry: JournalEntry) => JournalEntry];

const tamperings: readonly Tampering[] = [
  ["a larger quantity", (entry) => ({ ...entry, command: entry.command.replace(/"(\d)/, '"9$1') })],
  ["another client", (entry) => ({ ...entry, command: entry.command.replace(/^\[\d/, "[3") })],
  ["an unknown client", (entry) => ({ ...entry, command: entry.command.replace(/^\[\d/, "[99") })],
  ["a blank in the command", (entry) => ({ ...entry, command: entry.command.replace(",", ", ") })],
  ["a command that is no JSON", (entry) => ({ ...entry, command: entry.command.slice(0, -1) })],
  ["a command of nothing", (entry) => ({ ...entry, command: "null" })],
  ["another kind", (entry) => ({ ...entry, kind: "CancelOrder" })],
  ["a kind that nobody knows", (entry) => ({ ...entry, kind: "GiveMoney" as "CancelOrder" })],
  ["a later time", (entry) => ({ ...entry, at: entry.at + 1 })],
  ["an earlier time", (entry) => ({ ...entry, at: entry.at - 10_000_000 })],
  ["another hash", (entry) => ({ ...entry, hash: "f".repeat(32) })],
];

describe("a tampered journal", () => {
  test.each(tamperings)("with %s in one entry names that entry", async (_what, change) => {
    const { journal } = await ran(recordedScript);
    const index = journal.committed.entries.findIndex((entry, at) => at > 20 && entry.kind === "PlaceOrder");
    const entry = journal.committed.entries[index];
    if (entry === undefined) throw new RangeError("no order was placed");
    const tampered = change(entry);
    expect(tampered).not.toEqual(entry);
    journal.committed.entries[index] = tampered;
    const attempt = (): unknown => recover(journal, worldOf(recordedScript.spec));
    expect(attempt).toThrow(JournalDiverged);
    expect(attempt).toThrow(
      new RegExp(`entry ${entry.seq} was recorded with hash ${tampered.hash} and replays to `),
    );
  });

  test("with an entry missing names the one behind the gap", async () => {
    const { journal } = await ran(recordedScript);
    const [gone] = journal.committed.entries.splice(30, 1);
    const attempt = (): unknown => recover(journal, worldOf(recordedScript.spec));
    expect(attempt).toThrow(JournalDiverged);
    expect(attempt).toThrow(`entry ${(gone?.seq ?? 0) + 1} `);
  });

  test("of another world is refused at its first entry that depends on it", async () => {
    const { journal } = await ran(recordedScript);
    const poorer = {
      ...recordedScript.spec,
      clients: recordedScript.spec.clients.map((client) => ({ ...client, balances: {} })),
    };
    expect(() => recover(journal, worldOf(poorer))).toThrow(JournalDiverged);
  });
});
