/**
 * A capsule once more, on this machine and in memory: every entry is decided again and its chain hash compared; every answer
 * that follows from the state is made again where it was made, and compared as well.
 *
 * **Invariants.** The hash of an entry covers all entries before it, so the first that differs is where this engine parts
 * from the one that wrote the file. A replay goes no further than that.
 *
 * **What is not compared** of an answer: headers, the time and the id of the request in a refusal, and what `recordedCall`
 * names. Each is counted.
 */
import type { Event } from "../domain/event.ts";
import { decide } from "../engine/decide.ts";
import type { Outcome } from "../engine/decision.ts";
import type { VenueState } from "../engine/state.ts";
import { errorBody, statusOf } from "../http/errors.ts";
import { type Call, type CallOptions, type Reply, type Route, refused } from "../http/route.ts";
import { nothingDone } from "../sequencer/batch.ts";
import type { JournalEntry } from "../sequencer/ports.ts";
import { beginning, replay } from "../sequencer/recover.ts";
import { envelope } from "../wire/envelope.ts";
import { Identities } from "../wire/identities.ts";
import { type Capsule, type CapsuleExchange } from "./capsule.ts";
import { type CallParts, recordedCall, type Uncompared } from "./recorded-call.ts";

/** The first thing that is not as it was recorded. */
export interface CapsuleDifference {
  /** The entry that differs; of an answer, the last one that it shows. */
  readonly entry: number;
  /** The difference: an entry with its command, or an exchange with its request. */
  readonly what: string;
  readonly recorded: string;
  readonly now: string;
}

export interface ReplayedEntry {
  readonly entry: JournalEntry;
  /** The decision of this engine; none where it failed. */
  readonly events: readonly Event[];
  /** Those that were decided before the entry. */
  readonly exchanges: readonly CapsuleExchange[];
}

interface Asked {
  readonly exchange: CapsuleExchange;
  readonly route: Route;
  readonly call: Call;
  /** The reply that no state was needed for. */
  readonly reply: Reply | null;
  outcome: Outcome | null;
}

export interface ReplayOptions {
  readonly options: CallOptions;
  readonly prefix: string;
}

export class CapsuleReplay {
  readonly #capsule: Capsule;
  readonly #parts: CallParts;
  readonly #state: VenueState;
  #hash: string;
  #next = 0;
  #asked: Asked[] = [];
  #answers = 0;
  #staysBehind = false;
  readonly #uncompared = new Map<Uncompared, number>();
  #difference: CapsuleDifference | null = null;

  constructor(capsule: Capsule, { options, prefix }: ReplayOptions) {
    const { header, built } = capsule;
    this.#capsule = capsule;
    const { world } = built;
    const begun = beginning({ worldDigest: header.digest, seed: header.seed, epoch: header.epoch }, world);
    this.#state = begun.state;
    this.#hash = begun.hash;
    this.#parts = { ids: new Identities(world.seed), options, prefix };
  }

  /** The chain hash of the last entry that was replayed. */
  get hash(): string {
    return this.#hash;
  }

  get entries(): number {
    return this.#state.seq;
  }

  /** The number of exchanges that were made again and compared. */
  get answers(): number {
    return this.#answers;
  }

  get uncompared(): ReadonlyMap<Uncompared, number> {
    return this.#uncompared;
  }

  get difference(): CapsuleDifference | null {
    return this.#difference;
  }

  /** The next entry; undefined behind the last one, or that of `until`, and once something differs. */
  next(until = Infinity): ReplayedEntry | undefined {
    const { entries, header } = this.#capsule;
    const exchanges = this.#ask();
    if (this.#difference !== null || this.#state.seq >= until) return undefined;
    const entry = entries[this.#state.seq];
    if (entry === undefined) {
      if (this.#hash !== header.hash && entries.length > 0) this.#differs(entries.at(-1), header.hash);
      return undefined;
    }
    const { events, outcome } = this.#decide(entry);
    if (this.#difference !== null) return { entry, events, exchanges };
    const { command, kind } = entry;
    if (kind === "PlaceOrder" && command.includes('"staleReads"')) this.#staysBehind = true;
    for (const one of this.#asked)
      if (one.exchange.after === entry.seq - 1 && one.exchange.caused !== null) one.outcome = outcome;
    this.#answer();
    return { entry, events, exchanges };
  }

  #decide(entry: JournalEntry): { readonly events: readonly Event[]; readonly outcome: Outcome | null } {
    try {
      const { hash, events, outcome } = replay(this.#state, this.#hash, entry);
      this.#hash = hash;
      if (!hash.startsWith(entry.hash)) this.#differs(entry, entry.hash);
      return { events, outcome };
    } catch (error) {
      // An invariant of the engine is violated; the state is not used any more.
      const now = `it cannot be decided: ${messageOf(error)}`;
      this.#difference = { entry: entry.seq, what: spelled(entry), recorded: `hash ${entry.hash}`, now };
      return { events: [], outcome: null };
    }
  }

  #differs(entry: JournalEntry | undefined, recorded: string): void {
    if (entry === undefined) return;
    const now = `hash ${this.#hash.slice(0, recorded.length)}`;
    this.#difference = { entry: entry.seq, what: spelled(entry), recorded: `hash ${recorded}`, now };
  }

  /** The exchanges that were decided in this state, with the answers that were given in it. */
  #ask(): readonly CapsuleExchange[] {
    const found: CapsuleExchange[] = [];
    const { exchanges } = this.#capsule;
    for (
      let one = exchanges[this.#next];
      one?.after === this.#state.seq;
      one = exchanges[(this.#next += 1)]
    ) {
      found.push(one);
      const asked = this.#attempt(one, () => this.#recorded(one));
      if (asked === null) break;
      if (typeof asked === "string") this.#uncompared.set(asked, (this.#uncompared.get(asked) ?? 0) + 1);
      else this.#asked.push(asked);
    }
    this.#answer();
    return found;
  }

  #recorded(exchange: CapsuleExchange): Asked | Uncompared {
    if ((this.#state.settings.variations ?? []).length > 0)
      return "shaped by a legal variation that was in force";
    const found = recordedCall(exchange, this.#state.keys, this.#parts);
    if (!found.ok) return found.error;
    const { route, call } = found.value;
    if (this.#staysBehind && route.path.startsWith("/order"))
      return "about orders whose reads stayed behind by the market clock";
    const decoded = call.wrongQuery === null ? (route.decode?.(call) ?? nothing) : refused(call.wrongQuery);
    if (!decoded.ok) return { exchange, route, call, reply: decoded, outcome: nothingDone };
    const command = decoded.value;
    if (command === null) return { exchange, route, call, reply: null, outcome: nothingDone };
    const stamp = { seq: this.#state.seq + 1, at: this.#state.now };
    const outcome = exchange.caused === null ? decide(this.#state, stamp, command).outcome : null;
    return { exchange, route, call, reply: null, outcome };
  }

  #answer(): void {
    const { seq } = this.#state;
    for (const one of this.#asked) if (one.exchange.answered === seq) this.#compare(one);
    this.#asked = this.#asked.filter(({ exchange: { answered } }) => (answered ?? 0) > seq);
  }

  #compare({ exchange, route, call, reply, outcome }: Asked): void {
    if (this.#difference !== null) return;
    this.#answers += 1;
    const now = this.#attempt(exchange, () =>
      answerOf(reply ?? route.view(call, outcome ?? nothingDone, this.#state), exchange),
    );
    if (now !== null && !isAsRecorded(exchange, now))
      this.#answersOtherwise(exchange, `${now.status} ${now.text}`);
  }

  /** A journal that somebody made up may lead to a state that cannot be. */
  #attempt<T>(exchange: CapsuleExchange, make: () => T): T | null {
    try {
      return make();
    } catch (error) {
      this.#answersOtherwise(exchange, `it cannot be answered: ${messageOf(error)}`);
      return null;
    }
  }

  #answersOtherwise({ answered, id, method, target, status, answer }: CapsuleExchange, now: string): void {
    const text = typeof answer === "string" ? answer : (answer.text ?? answer.base64 ?? "");
    this.#difference = {
      entry: answered ?? 0,
      what: `${method} ${target} (${id})`,
      recorded: `${status} ${text}`,
      now,
    };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const nothing = { ok: true, value: null } as const;

const spelled = ({ seq, kind, command }: JournalEntry): string => `entry ${seq}, ${kind} ${command}`;

interface Answer {
  readonly status: number;
  readonly text: string;
}

function answerOf(reply: Reply, { target, id }: CapsuleExchange): Answer {
  if (reply.ok) return { status: reply.status, text: envelope(reply.status, reply.message, reply.data) };
  return { status: statusOf(reply.error), text: errorBody(reply.error, { target, requestId: id, now: 0 }) };
}

function isAsRecorded({ status, code, answer }: CapsuleExchange, now: Answer): boolean {
  if (status !== now.status) return false;
  if (typeof answer === "string") return steady(answer, code) === steady(now.text, code);
  return Buffer.byteLength(now.text) === answer.length && now.text.startsWith(answer.text ?? "");
}

/** A refusal without the members that differ each time. */
function steady(text: string, code: string | null): string {
  if (code === null) return text;
  const own = new Set(["timestamp", "requestId"]);
  try {
    const refusal = JSON.parse(text) as object;
    return JSON.stringify(Object.entries(refusal).filter(([name]) => !own.has(name)));
  } catch {
    return text;
  }
}
