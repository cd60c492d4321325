import { generatorNames } from "../check/generator-rules.ts";
import { Blocked } from "../model/outcome.ts";
import type { Operation } from "../model/profile.ts";
import type { CaseRow, Step } from "../model/scenario.ts";
import { isList, isMap, soleKey, type Value, type ValueMap } from "../model/value.ts";
import { type FragmentSteps } from "../parse/effort.ts";
import { type Names, resolved } from "../parse/known-values.ts";
import { asMap } from "../parse/scenario.ts";
import { requireCapability } from "./capability.ts";
import { factStated, holds } from "./conditions.ts";
import { DryRun } from "./dry-run.ts";
import { type Market, NotSeenYet } from "./market.ts";
import { readsByRepeat, repeatProblem } from "./order-reading.ts";
import { signOf } from "./plan-request.ts";
import { Scope } from "./scope.ts";
import { isRefusedAnyway, senderOf } from "./sender.ts";
import type { Session } from "./session.ts";
import { assertOurs } from "./stream-send.ts";
import { channelOf } from "./stream-subscribe.ts";

/** Market words that stand for something of the target; the others can be drawn anywhere. */
const ofTheMarket = ["$product", "$price", "$qty", "$spend", "$pair"];
const mostNesting = 12;

/**
 * Goes through the steps of a row before anything is sent, and throws Blocked or NotApplicable where one of them names
 * what this target does not have: a role, an operation, a fact, a product or price; or where the transport would not
 * let a request out. It asks the session, the market and the transport as the run would, so the plan, which knows the
 * profile alone, and the run come to the same. What an earlier answer has to deliver is not looked at.
 */
export function assertProvided(row: CaseRow, session: Session, market: Market): void {
  const { vars, setup, steps } = row.scenario;
  const { fragments } = session.parts;
  const place: Place = {
    names: { vars, row: row.row },
    scope: new Scope(vars, row.row),
    dryRun: new DryRun(senderOf(row, session, market)),
    lenient: isRefusedAnyway(row),
    depth: 0,
  };
  new NeedsReader({ row, session, market, fragments }, place).all([...setup, ...steps]);
}

interface Asked {
  readonly row: CaseRow;
  readonly session: Session;
  readonly market: Market;
  readonly fragments: FragmentSteps;
}

/** Where in the scenario a step stands. */
interface Place {
  readonly names: Names;
  /** The same names as the run will find them, and the requests before this one. */
  readonly scope: Scope;
  readonly dryRun: DryRun;
  readonly lenient: boolean;
  readonly depth: number;
}

class NeedsReader {
  readonly #asked: Asked;
  readonly #place: Place;
  /** Variables are computed once, and one that refers to itself is another's problem. */
  readonly #known = new Map<string, Value | undefined>();

  constructor(asked: Asked, place: Place) {
    this.#asked = asked;
    this.#place = place;
  }

  all(steps: readonly Step[]): void {
    if (this.#place.depth > mostNesting) return;
    const { row, session } = this.#asked;
    for (const step of steps) {
      const want = (): string => String(resolved("${row.want}", this.#place.names));
      if (step.when !== undefined && !holds(step.when, { session, row, want })) continue;
      if (step.rows.length === 0) this.#step(step);
      for (const columns of step.rows) {
        const names = { ...this.#place.names, row: { ...this.#place.names.row, ...columns } };
        this.#below({ names, scope: this.#place.scope.child({}, columns) }).#step(step);
      }
    }
  }

  #below(place: Partial<Place> = {}): NeedsReader {
    return new NeedsReader(this.#asked, { ...this.#place, ...place, depth: this.#place.depth + 1 });
  }

  #step(step: Step): void {
    const argument = isMap(step.argument) ? step.argument : {};
    const { session } = this.#asked;
    switch (step.action) {
      case "call":
        this.#call(argument, step.id);
        break;
      case "poll":
      case "never":
        this.#call(asMap(argument["call"]), step.id);
        break;
      case "raw":
        if (session.presence("raw.socket") !== "present")
          throw new Blocked("raw bytes need the capability raw.socket");
        this.#fill(argument);
        this.#sendable((dryRun, scope) => dryRun.raw(argument, scope));
        break;
      case "concurrent":
        for (const branch of step.branches) this.#below().all(branch);
        break;
      case "repeat":
        this.#below({ scope: this.#place.scope.child(firstRound(argument)) }).all(step.steps);
        break;
      case "group":
        this.#below().all(step.steps);
        break;
      case "use":
        this.#use(step);
        break;
      case "clock":
        requireCapability("clock.control", session);
        break;
      case "inject":
        requireCapability("fault.inject", session);
        break;
      case "ws":
        this.#stream(argument, step.id);
        break;
      case "assert":
        this.#fill(argument["left"] ?? null);
        this.#references(argument);
        break;
      default:
        break;
    }
    this.#references(Object.values(step.assertions));
  }

  #sendable(look: (dryRun: DryRun, scope: Scope) => string | undefined): void {
    const problem = look(this.#place.dryRun, this.#place.scope);
    if (problem !== undefined) throw new Blocked(problem);
  }

  #call(call: ValueMap, id: string | undefined): void {
    if (call["reuse"] !== undefined) return;
    const op = resolved(call["op"] ?? null, this.#place.names);
    const operation = typeof op === "string" && !isOpen(op) ? this.#operation(op, call) : undefined;
    if (operation?.auth !== "none") this.#signed(call);
    this.#fill(call);
    this.#sendable((dryRun, scope) => dryRun.call(call, id, scope));
  }

  /** One order can be read without a route, too. */
  #operation(name: string, call: ValueMap): Operation {
    const { row, session } = this.#asked;
    if (name !== "readOrder" || !readsByRepeat(session.profile)) return session.operation(name);
    const problem = repeatProblem(asMap(resolved(call, this.#place.names)), row.scenario.safety, session);
    if (problem === undefined) return session.operation("placeOrder");
    if (session.profile.operations[name] === "absent") return session.operation(name);
    throw new Blocked(problem);
  }

  #signed(call: ValueMap): void {
    const role = resolved(call["as"] ?? "trader", this.#place.names);
    const { unsigned } = signOf(resolved(call["sign"] ?? null, this.#place.names));
    if (typeof role !== "string" || isOpen(role) || role === "anonymous" || unsigned) return;
    this.#asked.session.credential(role);
  }

  #use({ argument }: Step): void {
    const name = typeof argument === "string" ? argument : String(asMap(argument)["fragment"]);
    const fragment = this.#asked.fragments.get(name);
    if (fragment === undefined) throw new Blocked(`there is no fragment ${name}`);
    const given = asMap(resolved(asMap(asMap(argument)["with"]), this.#place.names));
    const own = { ...fragment.vars, ...given };
    const { scope, dryRun } = this.#place;
    if (!fragment.shared) {
      const names = { ...this.#place.names, vars: { ...this.#place.names.vars, ...own } };
      return this.#below({ names, scope: scope.child(own) }).all(fragment.steps);
    }
    const inner = new Scope(own, undefined);
    const place = { names: { vars: own, row: {} }, scope: inner, lenient: false };
    this.#below({ ...place, dryRun: dryRun.of(`shared:${name}`) }).all(fragment.steps);
    scope.adopt(inner);
  }

  #stream(action: ValueMap, id: string | undefined): void {
    const { session } = this.#asked;
    const { connect, subscribe, send, frames } = action;
    const { stream } = session.profile;
    if (isMap(connect) && stream?.url === undefined)
      throw new Blocked("the profile names no address of the stream: add ws.url");
    if (isMap(connect) && connect["reuse"] === undefined) this.#signed(connect);
    const wanted = resolved(subscribe ?? null, this.#place.names);
    if (isMap(wanted) && stream !== undefined) channelOf(wanted, stream);
    this.#fill(action);
    if (isMap(connect) && connect["reuse"] === undefined)
      this.#sendable((dryRun, scope) => dryRun.connect(connect, id, scope));
    if (send !== undefined) this.#sendable((dryRun, scope) => dryRun.message(send, scope));
    if (frames !== undefined) assertOurs(session);
  }

  /** What the value comes to, as far as that can be known now; undefined where an answer has to come first. */
  #fill(value: Value): Value | undefined {
    if (typeof value === "string") return this.#text(value);
    if (isList(value)) {
      const items = value.map((item) => this.#fill(item));
      return items.some((item) => item === undefined) ? undefined : (items as Value[]);
    }
    if (!isMap(value)) return value;
    const key = soleKey(value);
    if (key !== undefined && key !== "$json" && generatorNames.includes(key))
      return this.#generate(key, value[key] ?? null);
    const entries = Object.entries(value).map(([name, item]) => [name, this.#fill(item)] as const);
    return entries.some(([, item]) => item === undefined)
      ? undefined
      : Object.fromEntries(entries as [string, Value][]);
  }

  #text(text: string): Value | undefined {
    const names = [...text.matchAll(/\$\{([^}]+)\}/g)].map(([, name = ""]) => this.#named(name));
    if (names.length === 0) return text;
    return /^\$\{[^}]+\}$/.test(text) ? names[0] : undefined;
  }

  #named(name: string): Value | undefined {
    if (this.#known.has(name)) return this.#known.get(name);
    this.#known.set(name, undefined);
    const template = resolved(`\${${name}}`, this.#place.names);
    const found = template === `\${${name}}` ? undefined : this.#fill(template);
    this.#known.set(name, found);
    return found;
  }

  #generate(name: string, raw: Value): Value | undefined {
    if (name === "$calc") {
      this.#words(String(raw));
      return undefined;
    }
    const argument = this.#fill(raw);
    if (argument === undefined) return this.#ofWhichever(name, raw);
    if (name === "$fact") return this.#fact(String(argument));
    if (!ofTheMarket.includes(name)) return undefined;
    try {
      return this.#asked.market.generate(name, argument, this.#place.lenient);
    } catch (error) {
      if (error instanceof NotSeenYet) return undefined;
      throw error;
    }
  }

  /** The product is one that an earlier step has drawn: when none of them has such a price or size, this one has not. */
  #ofWhichever(name: string, raw: Value): undefined {
    const candidates = isMap(raw) && raw["product"] !== undefined ? this.#asked.market.candidates() : [];
    const reasons = candidates.flatMap((product) => {
      try {
        this.#generate(name, { ...asMap(raw), product });
        return [];
      } catch (error) {
        if (error instanceof Blocked) return [error];
        throw error;
      }
    });
    if (reasons[0] !== undefined && reasons.length === candidates.length) throw reasons[0];
  }

  #fact(name: string): undefined {
    if (!factStated(this.#asked.session.profile.facts, name))
      throw new Blocked(`the profile does not state the fact ${name}: add it under facts`);
  }

  /** An expectation computes nothing, but what it refers to is computed. */
  #references(value: Value): void {
    if (typeof value === "string") this.#text(value);
    else if (isList(value)) for (const item of value) this.#references(item);
    else if (isMap(value))
      for (const [key, item] of Object.entries(value)) {
        if (["$decVar", "$eqVar", "$neVar"].includes(key)) this.#words(String(item));
        else this.#references(item);
      }
  }

  /** Names in a formula: `price * qty`. */
  #words(formula: string): void {
    for (const [name] of formula.matchAll(/[A-Za-z_][\w.]*/g)) this.#named(name);
  }
}

const firstRound = ({ as }: ValueMap): ValueMap => (typeof as === "string" ? { [as]: "1" } : {});

const isOpen = (text: string): boolean => text.includes("${");
