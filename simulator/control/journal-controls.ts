/** The journal as it was written, each entry with the events that it made. */
import { success } from "../http/route.ts";
import type { ValueOf } from "../schema/fields.ts";
import { isoTime } from "../wire/envelope.ts";
import { integer, position } from "../wire/query-fields.ts";
import { count, list, mapOf, out, record, text, time } from "../wire/schema.ts";
import { type Controls, controlRoute, notFound, type RefusedCall } from "./control-route.ts";
import { replay } from "./replay.ts";

const entrySchema = record("An entry of the journal.", {
  seq: count("Its number."),
  at: time("Market time."),
  kind: text("Kind of the command."),
  command: mapOf(out<unknown>({}), "The command, in ticks and lots."),
  hash: text("Chain hash after it."),
  events: list(mapOf(out<unknown>({}), "An event, with its kind."), "What it did, in order."),
});

const exampleEntry = {
  seq: 12,
  at: "2026-01-01T00:00:00.000Z",
  kind: "MatchOrder",
  command: { order: 11 },
  hash: "08f6922f04e52ef9a18246204ad93976",
  events: [{ kind: "OrderRested", order: 11, quantity: 100000 }],
};

const readJournal = controlRoute({
  method: "GET",
  path: "/journal",
  operationId: "readJournal",
  verbs: [{ words: "journal" }],
  summary: "Entries of the journal with their events, the oldest first.",
  query: {
    from: position("Only those from this number on; the newest of all when absent."),
    limit: integer("At most so many.", 1, 1000, 100),
  },
  answer: {
    schema: record("A part of the journal.", {
      entries: list(entrySchema),
      last: count("The last entry of the whole journal."),
    }),
    example: { entries: [exampleEntry], last: 12 },
  },
  run: async (controls, _params, _body, { from, limit }) => {
    const last = controls.venue.state.seq;
    const first = from ?? Math.max(1, last - limit + 1);
    return success({ entries: await entriesOf(controls, first, Math.min(last, first + limit - 1)), last });
  },
});

const there = "GET /__gatewright/journal lists the newest";

const unknownEntry: RefusedCall = {
  code: "NOT_FOUND",
  when: "The journal has no entry of this number.",
  params: { seq: "999999999" },
  message: `There is no entry 999999999: ${there}`,
};

const readEntry = controlRoute({
  method: "GET",
  path: "/journal/{seq}",
  operationId: "readEntry",
  verbs: [{ words: "journal entry" }],
  summary: "One entry of the journal with its events.",
  answer: { schema: entrySchema, example: exampleEntry },
  refusals: [unknownEntry],
  run: async (controls, { seq = "" }) => {
    const number = /^[1-9][0-9]{0,14}$/.test(seq) ? Number(seq) : 0;
    const [entry] = await entriesOf(controls, number, Math.min(number, controls.venue.state.seq));
    return entry === undefined ? notFound("entry", seq, there) : success(entry);
  },
});

type ShownEntry = ValueOf<typeof entrySchema>;

async function entriesOf(controls: Controls, first: number, last: number): Promise<ShownEntry[]> {
  const found: ShownEntry[] = [];
  if (first > last || last === 0) return found;
  await replay(controls, last, ({ seq, at, kind, hash }, { kind: _, ...members }, events) => {
    if (seq >= first)
      found.push({ seq, at: isoTime(at), kind, command: plain(members), hash, events: events.map(plain) });
  });
  return found;
}

/** Whole numbers that JSON has no place for become text. */
const plain = (value: object): Readonly<Record<string, unknown>> =>
  // as: an object stays one.
  JSON.parse(
    JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? String(member) : member)),
  ) as Readonly<Record<string, unknown>>;

export const journalControls = [readJournal, readEntry] as const;
