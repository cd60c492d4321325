import { resolvePointer } from "../check/pointer.ts";
import { counted } from "../model/counted.ts";
import { UsageError } from "../model/position.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { Recording } from "../recording/read-recording.ts";
import { type Earlier, EarlierRequests } from "./earlier.ts";
import { clausesOf, expectedAnswer, isOrderList, listedIn, placedWith } from "./expected.ts";
import { type Group, groupsOf } from "./groups.ts";
import { isIdentifier, Names, nameFor } from "./names.ts";
import { Orders, orderIn } from "./orders.ts";
import { Inexpressible, isRespaced, requestOf } from "./request.ts";
import { Roles } from "./roles.ts";
import { signingOf } from "./signing.ts";
import { type Operations, type Turn, textAt, textsBelow, turnOf } from "./turn.ts";

export interface ExportOptions {
  readonly id: string;
  readonly basePath: string;
  readonly operations: Operations;
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
  /** What the file does not say of the recording. */
  readonly remarks: readonly string[];
  /** What was asked and answered, by the step that it became. */
  readonly earlier: readonly Earlier[];
}

/** A scenario that a person can read has fewer, and a larger file is not read. */
export const mostTurns = 500;

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
  readonly #earlier = new EarlierRequests();
  readonly #counts = new Map<string, number>();
  readonly #clauses = new Set<string>();

  constructor(recording: Recording, options: ExportOptions) {
    this.#recording = recording;
    this.#options = options;
    this.#remarks = [...recording.remarks];
    const keys = recording.exchanges.flatMap(({ key }) => (key === undefined ? [] : [key]));
    this.#roles = new Roles([...new Set(keys)], options.roles);
    this.#remarks.push(...this.#roles.guessed);
  }

  write(): Exported {
    const turns = this.#turns();
    if (turns.length === 0)
      throw new UsageError(
        `there is nothing to write: no request of the ${counted(this.#recording.exchanges.length, "exchange")} is below ${this.#options.basePath} and chosen`,
      );
    const { most = mostTurns } = this.#options;
    if (turns.length > most)
      throw new UsageError(
        `${turns.length} requests are more than the ${most} that a scenario may have: choose with --from, --to, --key or --only`,
      );
    for (const turn of turns) this.#nameIds(turn);
    this.#tellSpacing(turns);
    const drafts = groupsOf(turns).flatMap((group) => this.#group(group));
    return {
      document: this.#document(
        turns,
        drafts.map((draft) => this.#finished(draft)),
      ),
      remarks: this.#remarks,
      earlier: this.#earlier.all,
    };
  }

  #turns(): Turn[] {
    const { exchanges } = this.#recording;
    const { basePath, operations } = this.#options;
    const turns = exchanges.flatMap((one) => turnOf(one, basePath, operations, this.#recording) ?? []);
    const elsewhere = exchanges.length - turns.length;
    if (elsewhere > 0)
      this.#remarks.push(`${counted(elsewhere, "request")} went elsewhere than below ${basePath}: left out`);
    return turns;
  }

  /** The client makes new ones each time. */
  #nameIds({ sent }: Turn): void {
    const id = textAt(sent, "client_order_id");
    if (id === undefined || !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return;
    const name = `key${this.#names.defined + 1}`;
    if (!this.#names.isDefined(id)) this.#names.define(id, name, generatorFor(id, name));
  }

  #tellSpacing(turns: readonly Turn[]): void {
    const count = turns.filter(isRespaced).length;
    if (count > 0)
      this.#remarks.push(`${counted(count, "body", "bodies")} had blanks between the values: sent without`);
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
    const { step, call, expect, isNews } = made;
    if (isNews && turn.method === "GET")
      return [{ step, body: { poll: { call, until: expect, every: "100ms", within: "5s" } } }];
    const expected = Object.keys(expect).length === 0 ? {} : { expect };
    return [{ step, body: { call, ...expected } }];
  }

  #poll(turns: readonly Turn[]): Draft[] {
    const [first, last] = [turns[0], turns.at(-1)];
    if (first === undefined || last === undefined) return [];
    const made = this.#made(last);
    if (made === undefined) return [];
    const { step, call, expect } = made;
    const waited = last.to - first.from;
    const every = Math.min(2000, Math.max(50, Math.round(waited / turns.length)));
    const within = Math.min(50, Math.max(5, Math.ceil((waited * 3) / 1000)));
    return [{ step, body: { poll: { call, until: expect, every: `${every}ms`, within: `${within}s` } } }];
  }

  /** The parts of a step; what its answer shows is known from then on. */
  #made(turn: Turn): Made | undefined {
    const step = this.#stepName(turn);
    try {
      const signing = signingOf(turn, this.#earlier, this.#recording);
      if (signing.remark !== undefined) this.#remarks.push(`${step}: ${signing.remark}`);
      const call = this.#callOf(turn, signing.call);
      const expect = expectedAnswer(turn, this.#names, this.#orders);
      const isNews = this.#learn(turn, step);
      this.#earlier.add({ step, turn });
      for (const clause of clausesOf(turn)) this.#clauses.add(clause);
      return { step, call, expect, isNews };
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
    const lost = turn.status === undefined;
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

  /** Takes over orders and identifiers; returns whether a known order has changed. */
  #learn(turn: Turn, step: string): boolean {
    const { answered, route } = turn;
    if (turn.status === undefined || turn.status > 299) return false;
    const order = orderIn(turn);
    const isPlacing = route?.op === "placeOrder";
    const id = textAt(order, "id");
    if (id !== undefined) {
      const name = isPlacing ? `order${this.#orders.placed().length + 1}` : "order";
      this.#names.offer(id, { step, name, pointer: "#order/id" });
    }
    for (const { text, key, pointer } of textsBelow(answered))
      if (isIdentifier(text, key)) this.#names.offer(text, { step, name: nameFor(key), pointer });
    const records = order === undefined ? (isOrderList(turn) ? listedIn(turn) : []) : [order];
    const isNew = resolvePointer(answered, "#/data/type") === "NEW_ORDER";
    const news = records.map((one) =>
      this.#orders.see(one, isPlacing && isNew ? placedWith(turn).placedWith : undefined),
    );
    return news.includes(true);
  }

  #stepName({ route, method }: Turn): string {
    const word =
      route === undefined
        ? method.toLowerCase().replace(/[^a-z]/g, "") || "call"
        : (verbs[route.op] ?? route.op);
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
    const written: Value = [...steps];
    const used = new Set([...JSON.stringify(written).matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    const kept = Object.fromEntries(Object.entries(vars).filter(([name]) => used.has(name)));
    return {
      kit: 1,
      id,
      title: title ?? `Recorded on ${started.slice(0, 10)}: ${counted(turns.length, "request")}`,
      spec: spec === undefined || spec.length === 0 ? this.#cited() : [...spec],
      ...(Object.keys(kept).length === 0 ? {} : { vars: kept }),
      origin: { kitVersion, recorded: started },
      steps: written,
    };
  }
}

interface Made {
  readonly step: string;
  readonly call: ValueMap;
  readonly expect: ValueMap;
  readonly isNews: boolean;
}

type Draft =
  | { readonly step: string; readonly body: ValueMap }
  | { readonly branches: readonly (readonly Draft[])[] };

const verbs: Readonly<Record<string, string>> = {
  placeOrder: "place",
  openOrders: "open",
  readOrder: "read",
  listOrders: "list",
  cancelOrder: "cancel",
  products: "products",
};

/** A beginning of zeros is a word of the sandbox, and the version is part of what is tested. */
function generatorFor(id: string, name: string): Value {
  const version = Number(id[14]);
  const prefix = id.startsWith("0000") ? { prefix: id.slice(0, 8) } : {};
  if (version === 4 && !id.startsWith("0000")) return { $uuid4: name };
  return { $uuid: { version: version === 1 || version === 7 ? version : 4, ...prefix } };
}
