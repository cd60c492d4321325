import { counted } from "../model/counted.ts";
import { namesIn } from "../model/expr.ts";
import { UsageError } from "../model/position.ts";
import type { StreamPlan } from "../model/stream.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { Recording } from "../recording/read-recording.ts";
import { type Earlier, EarlierRequests } from "./earlier.ts";
import { clausesOf, expectedAnswer } from "./expected.ts";
import { beginOf, type Group, groupsOf } from "./groups.ts";
import { Names } from "./names.ts";
import { nameClientId, noteAnswer } from "./note-answer.ts";
import { Orders } from "./orders.ts";
import { Inexpressible, requestOf } from "./request.ts";
import { Roles } from "./roles.ts";
import { signingOf } from "./signing.ts";
import { isHandshake, type StreamDraft, Streams } from "./streams.ts";
import { type Operations, type Turn, verbOf } from "./turn.ts";
import { turnsIn } from "./turns-in.ts";

export interface ExportOptions {
  readonly id: string;
  readonly basePath: string;
  readonly operations: Operations;
  /** How the profile describes the stream. */
  readonly stream?: StreamPlan | undefined;
  readonly roles?: readonly string[];
  /** Clauses that the file is about, in place of those of its answers. */
  readonly spec?: readonly string[];
  readonly title?: string;
  readonly kitVersion: string;
  /** The most requests that are written. */
  readonly most?: number;
}

export interface Exported {
  readonly document: ValueMap;
  /** The parts of the recording that the file leaves out. */
  readonly remarks: readonly string[];
  /** The recorded exchanges, by the step that each became. */
  readonly earlier: readonly Earlier[];
}

/** A scenario that a person can read has fewer, and a larger file is not read. */
const mostTurns = 500;

/** Writes what was said as a scenario: steps with names in place of values that are others in the next session. */
export function exportScenario(recording: Recording, options: ExportOptions): Exported {
  const writer = new ScenarioWriter(recording, options);
  return writer.write();
}

class ScenarioWriter {
  readonly #recording: Recording;
  readonly #options: ExportOptions;
  readonly #remarks: string[];
  readonly #names = new Names();
  readonly #orders = new Orders();
  readonly #roles: Roles;
  readonly #streams: Streams;
  readonly #earlier = new EarlierRequests();
  readonly #counts = new Map<string, number>();
  readonly #clauses = new Set<string>();

  constructor(recording: Recording, options: ExportOptions) {
    this.#recording = recording;
    this.#options = options;
    this.#remarks = [...recording.remarks];
    const keys = recording.exchanges.flatMap(({ key }) => (key === undefined ? [] : [key]));
    this.#roles = new Roles([...new Set(keys)], options.roles);
    this.#streams = new Streams(recording.frames, options.stream, this.#names);
    this.#remarks.push(...this.#roles.guessed);
  }

  write(): Exported {
    const { basePath, operations } = this.#options;
    const { turns, remarks } = turnsIn(this.#recording, basePath, operations);
    this.#remarks.push(...remarks);
    if (turns.length === 0)
      throw new UsageError(
        `there is nothing to write: no request of the ${counted(this.#recording.exchanges.length, "exchange")} is below ${this.#options.basePath} and chosen`,
      );
    const { most = mostTurns } = this.#options;
    if (turns.length > most)
      throw new UsageError(
        `${turns.length} requests are more than the ${most} that a scenario may have: choose with --from, --to, --key or --only`,
      );
    for (const turn of turns) nameClientId(turn, this.#names);
    const drafts = this.#timeline(turns).flatMap(({ draw }) => draw());
    if (drafts.length === 0) throw new UsageError(["there is nothing to write", ...this.#remarks].join(": "));
    const document = this.#document(
      turns,
      drafts.map((draft) => this.#finished(draft)),
    );
    return {
      document,
      remarks: [...this.#remarks, ...this.#streams.remarks],
      earlier: this.#earlier.all,
    };
  }

  /**
   * Requests and what was said on streams, in the order in which it began. A message that came during a request is written
   * after it: the kit keeps all messages from the beginning of a connection.
   */
  #timeline(turns: readonly Turn[]): readonly { readonly at: number; readonly draw: () => Draft[] }[] {
    const groups = groupsOf(turns.filter((turn) => !isHandshake(turn)));
    return [
      ...groups.map((group) => ({ at: beginOf(group), draw: () => this.#group(group) })),
      ...turns.filter(isHandshake).map((turn) => ({ at: turn.from, draw: () => this.#connect(turn) })),
      ...this.#recording.frames.map((frame) => ({
        at: frame.at,
        draw: () => this.#streams.frame(frame).map((draft) => this.#numbered(draft)),
      })),
    ].toSorted((one, other) => one.at - other.at);
  }

  #connect(turn: Turn): Draft[] {
    const { call, remark } = signingOf(turn, this.#earlier, this.#recording);
    const role = this.#roles.of(turn.exchange.key);
    const who =
      role === "trader" || call["as"] !== undefined || call["reuse"] !== undefined ? {} : { as: role };
    const draft = this.#streams.connect(turn, { ...who, ...call });
    if (draft === undefined) return [];
    const step = this.#numbered(draft);
    if (remark !== undefined) this.#remarks.push(`${step.step}: ${remark}`);
    this.#earlier.add({ step: step.step, turn });
    const spec = this.#about([turn.status === 101 ? "EVT-02" : "EVT-04"]);
    return [{ ...step, body: { ...spec, ...step.body } }];
  }

  /** The clauses that a step is about; a file about others says so once. */
  #about(clauses: readonly string[]): ValueMap {
    for (const clause of clauses) this.#clauses.add(clause);
    return clauses.length === 0 || (this.#options.spec ?? []).length > 0 ? {} : { spec: [...clauses] };
  }

  #numbered({ word, body }: StreamDraft): { readonly step: string; readonly body: ValueMap } {
    return { step: this.#number(word), body };
  }

  #group(group: Group): Draft[] {
    if (group.kind === "one") return this.#call(group.turn);
    if (group.kind === "repeated") return this.#poll(group.turns);
    const branches = group.branches
      .map((branch) => branch.flatMap((turn) => this.#call(turn)))
      .filter(({ length }) => length > 0);
    const [only] = branches;
    if (only !== undefined && branches.length === 1) return only;
    return branches.length === 0 ? [] : [{ branches }];
  }

  #call(turn: Turn): Draft[] {
    const made = this.#made(turn);
    if (made === undefined) return [];
    const { step, spec, call, expect, isNews } = made;
    if (isNews && turn.method === "GET")
      return [{ step, body: { ...spec, poll: { call, until: expect, every: "100ms", within: "5s" } } }];
    const expected = Object.keys(expect).length === 0 ? {} : { expect };
    return [{ step, body: { ...spec, call, ...expected } }];
  }

  #poll(turns: readonly Turn[]): Draft[] {
    const [first, last] = [turns[0], turns.at(-1)];
    if (first === undefined || last === undefined) return [];
    const made = this.#made(last);
    if (made === undefined) return [];
    const { step, spec, call, expect } = made;
    const waited = last.to - first.from;
    const every = Math.min(2000, Math.max(50, Math.round(waited / turns.length)));
    const within = Math.min(50, Math.max(5, Math.ceil((waited * 3) / 1000)));
    const poll = { call, until: expect, every: `${every}ms`, within: `${within}s` };
    return [{ step, body: { ...spec, poll } }];
  }

  /** The parts of a step; the values of its answer are known from then on. */
  #made(turn: Turn): Made | undefined {
    const step = this.#number(verbOf(turn));
    try {
      const signing = signingOf(turn, this.#earlier, this.#recording);
      if (signing.remark !== undefined) this.#remarks.push(`${step}: ${signing.remark}`);
      const call = this.#callOf(turn, signing.call);
      const expect = expectedAnswer(turn, this.#names, this.#orders);
      const isNews = noteAnswer(turn, step, this.#names, this.#orders);
      this.#earlier.add({ step, turn });
      return { step, spec: this.#about(clausesOf(turn)), call, expect, isNews };
    } catch (error) {
      if (!(error instanceof Inexpressible)) throw error;
      this.#remarks.push(
        `request ${turn.exchange.id} (${turn.method} ${turn.path}) is left out: ${error.message}`,
      );
      return undefined;
    }
  }

  #callOf(turn: Turn, signing: ValueMap): ValueMap {
    if (signing["reuse"] !== undefined) return signing;
    const role = this.#roles.of(turn.exchange.key);
    const { op, method, path, ...rest } = requestOf(turn, this.#names, this.#earlier);
    const place: ValueMap = op === undefined ? { method: method ?? "GET", path: path ?? "/" } : { op };
    this.#tellIds(turn);
    const lost = turn.status === undefined && turn.exchange.isUnseen !== true;
    if (lost)
      this.#remarks.push(
        `request ${turn.exchange.id} (${turn.method} ${turn.path}) got no answer: the file leaves before one comes`,
      );
    return {
      ...place,
      ...(role === "trader" || signing["as"] !== undefined ? {} : { as: role }),
      ...rest,
      ...signing,
      ...(lost ? { abandon: "sent" } : {}),
    };
  }

  /** An order that the file does not place is there on the recorded target only. */
  #tellIds({ route, exchange, status }: Turn): void {
    const id = route?.params["id"];
    if (id === undefined || status === undefined || status > 299) return;
    const step = this.#names.stepOf(id);
    if (step === undefined && !this.#names.isDefined(id))
      this.#remarks.push(
        `request ${exchange.id}: no answer before it shows the id ${id}: it is sent as it was`,
      );
    else if (this.#orders.find(id)?.placedWith === undefined)
      this.#remarks.push(
        `request ${exchange.id} is about an order that was placed before this file begins: its id is taken from the answer of ${step ?? "an earlier step"}, so the target must have such an order`,
      );
  }

  #number(word: string): string {
    const count = (this.#counts.get(word) ?? 0) + 1;
    this.#counts.set(word, count);
    return `${word}${count}`;
  }

  #finished(draft: Draft): ValueMap {
    if ("branches" in draft)
      return {
        concurrent: {
          release: "barrier",
          branches: draft.branches.map((branch) => branch.map((one) => this.#finished(one))),
        },
      };
    const capture = this.#names.capturesOf(draft.step);
    return { id: draft.step, ...draft.body, ...(capture === undefined ? {} : { capture }) };
  }

  #cited(): string[] {
    return this.#clauses.size === 0 ? ["GEN-07"] : [...this.#clauses].toSorted();
  }

  #document(turns: readonly Turn[], steps: readonly ValueMap[]): ValueMap {
    const { id, title, spec, kitVersion } = this.#options;
    const started = new Date(this.#recording.startedAt).toISOString();
    const { vars } = this.#names;
    const { capabilities } = this.#streams;
    const written: Value = [...steps];
    const used = namesIn(written);
    const kept = Object.fromEntries(Object.entries(vars).filter(([name]) => used.has(name)));
    return {
      kit: 1,
      id,
      title: title ?? `Recorded on ${started.slice(0, 10)}: ${counted(turns.length, "request")}`,
      spec: spec === undefined || spec.length === 0 ? this.#cited() : [...spec],
      ...(Object.keys(kept).length === 0 ? {} : { vars: kept }),
      ...(capabilities.length === 0 ? {} : { requires: { capabilities: [...capabilities] } }),
      origin: { kitVersion, recorded: started },
      steps: written,
    };
  }
}

interface Made {
  readonly step: string;
  readonly spec: ValueMap;
  readonly call: ValueMap;
  readonly expect: ValueMap;
  readonly isNews: boolean;
}

type Draft =
  | { readonly step: string; readonly body: ValueMap }
  | { readonly branches: readonly (readonly Draft[])[] };
