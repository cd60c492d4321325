import { generatorNames } from "../../check/generator-rules.ts";
import { isOpen, referencesIn, soleReference } from "../../model/expr.ts";
import { forEachStep, type StepVisitor } from "../../model/for-each-step.ts";
import type { Call, Connect } from "../../model/language.ts";
import { Blocked } from "../../model/outcome.ts";
import type { Operation } from "../../model/profile.ts";
import { type CaseRow } from "../../model/scenario.ts";
import { asJson, type Fragment, type Fragments, type Step, type StreamAction } from "../../model/step.ts";
import { asMap, isList, isMap, soleKey, type Value } from "../../model/value.ts";
import { isUnsigned, readCall } from "../../plan/call.ts";
import { withRow, withVars } from "../../plan/counted-steps.ts";
import { type Names, resolved } from "../../plan/known-values.ts";
import { readsByRepeat, repeatProblem } from "../send/order-reading.ts";
import { isRefusedAnyway, senderOf } from "../send/sender.ts";
import { assertOurs } from "../send/stream-send.ts";
import { channelOf } from "../send/stream-subscribe.ts";
import type { Session } from "../session.ts";
import { requireCapability } from "./capability.ts";
import { factStated, holds } from "./conditions.ts";
import { DryRun } from "./dry-run.ts";
import { type Market, NotSeenYet } from "./market.ts";
import { Scope } from "./scope.ts";

/** Generators that need data of the target; the others can be evaluated without it. */
const ofTheMarket = ["$product", "$price", "$qty", "$spend", "$step", "$pair"];
/**
 * Checks the steps of a row before anything is sent. Throws Blocked or NotApplicable if a step needs something that
 * this target does not have (a role, an operation, a fact, a product or price), or if the transport would refuse a
 * request. It uses the same session, market and transport as the run, so the plan, which has only the profile, and the
 * run agree. Known limit: values that an earlier answer must provide are not checked.
 */
export function assertProvided(row: CaseRow, session: Session, market: Market): void {
  const { vars, setup, steps } = row.scenario;
  const { fragments } = session.parts;
  const asked = { row, session, market };
  const place: Place = {
    names: { vars, row: row.row },
    scope: new Scope(vars, row.row),
    dryRun: new DryRun(senderOf(row, session, market)),
    lenient: isRefusedAnyway(row),
    known: new Map(),
  };
  const visitor: StepVisitor<Place> = {
    applies: ({ when }, at) => when === undefined || holds(when, { session, row, want: () => wanted(at) }),
    row: (at, columns) => ({
      ...at,
      names: withRow(at.names, columns),
      scope: at.scope.child({}, columns),
      known: new Map(),
    }),
    visit: (step, at) => new StepNeeds(asked, at).look(step, fragments),
    inside,
    leave: ({ scope }, inner, { shared }) => {
      if (shared) scope.adopt(inner.scope);
    },
  };
  forEachStep([...setup, ...steps], place, visitor, fragments);
}

const wanted = ({ names }: Place): string => String(resolved("${row.want}", names));

function inside(place: Place, step: Step, fragment?: Fragment): Place {
  const known: Place["known"] = new Map();
  if (step.action === "repeat" && step.as !== undefined)
    return { ...place, known, scope: place.scope.child({ [step.as]: "1" }) };
  if (step.action !== "use" || fragment === undefined) return { ...place, known };
  const own = { ...fragment.vars, ...asMap(resolved(step.with, place.names)) };
  if (!fragment.shared)
    return { ...place, known, names: withVars(place.names, own), scope: place.scope.child(own) };
  const names = { vars: own, row: {} };
  const dryRun = place.dryRun.of(`shared:${fragment.name}`);
  return { names, dryRun, known, scope: new Scope(own, undefined), lenient: false };
}

interface Asked {
  readonly row: CaseRow;
  readonly session: Session;
  readonly market: Market;
}

/** The place of a step in the scenario. */
interface Place {
  readonly names: Names;
  /** The same names as in the run, and the requests before this one. */
  readonly scope: Scope;
  readonly dryRun: DryRun;
  readonly lenient: boolean;
  /** Variables are computed once; a variable that refers to itself is reported elsewhere. */
  readonly known: Map<string, Value | undefined>;
}

/** The needs of one step. */
class StepNeeds {
  readonly #asked: Asked;
  readonly #place: Place;

  constructor(asked: Asked, place: Place) {
    this.#asked = asked;
    this.#place = place;
  }

  look(step: Step, fragments: Fragments): void {
    const { session } = this.#asked;
    switch (step.action) {
      case "call":
      case "poll":
      case "never":
        this.#call(step.call, step.id);
        break;
      case "raw":
        if (session.presence("raw.socket") !== "present")
          throw new Blocked("raw bytes need the capability raw.socket");
        this.#fill(step.raw);
        this.#sendable((dryRun, scope) => dryRun.raw(step.raw, scope));
        break;
      case "use":
        if (!fragments.has(step.fragment)) throw new Blocked(`there is no fragment ${step.fragment}`);
        break;
      case "clock":
        requireCapability("clock.control", session);
        break;
      case "inject":
        requireCapability("fault.inject", session);
        break;
      case "ws":
        this.#stream(step.does, step.id);
        break;
      case "assert":
        this.#fill(step.left ?? null);
        for (const value of [step.left, step.is, step.of]) this.#references(value ?? null);
        break;
      default:
        break;
    }
    for (const block of Object.values(step.assertions)) this.#references(asJson(block));
  }

  #sendable(look: (dryRun: DryRun, scope: Scope) => string | undefined): void {
    const problem = look(this.#place.dryRun, this.#place.scope);
    if (problem !== undefined) throw new Blocked(problem);
  }

  #call(call: Call, id: string | undefined): void {
    if (call.reuse !== undefined) return;
    const op = resolved(call.op ?? null, this.#place.names);
    const operation = typeof op === "string" && !isOpen(op) ? this.#operation(op, call) : undefined;
    if (operation?.auth !== "none") this.#signed(call);
    this.#fill(call);
    this.#sendable((dryRun, scope) => dryRun.call(call, id, scope));
  }

  /** A single order can be read without a route, too. */
  #operation(name: string, call: Call): Operation {
    const { row, session } = this.#asked;
    if (name !== "readOrder" || !readsByRepeat(session.profile)) return session.operation(name);
    const problem = repeatProblem(call, this.#place.names, row.scenario.safety, session);
    if (problem === undefined) return session.operation("placeOrder");
    if (session.profile.operations[name] === "absent") return session.operation(name);
    throw new Blocked(problem);
  }

  #signed({ as = "trader", sign = {} }: Call | Connect): void {
    const call = readCall(resolved({ as, sign }, this.#place.names));
    if (!isOpen(call.role) && !isUnsigned(call)) this.#asked.session.credential(call.role);
  }

  #stream(action: StreamAction, id: string | undefined): void {
    const { session } = this.#asked;
    const { stream } = session.profile;
    if (action.kind === "connect") {
      const { connect } = action;
      if (stream?.url === undefined)
        throw new Blocked("the profile names no address of the stream: add ws.url");
      if (connect.reuse === undefined) this.#signed(connect);
      this.#fill(connect);
      if (connect.reuse === undefined) this.#sendable((dryRun, scope) => dryRun.connect(connect, id, scope));
    } else if (action.kind === "subscribe") {
      const listed = resolved(action.subscribe, this.#place.names);
      if (stream !== undefined) channelOf(asMap(listed), stream);
      this.#fill(action.subscribe);
    } else if (action.kind === "send") {
      this.#fill(action.send);
      this.#sendable((dryRun, scope) => dryRun.message(action.send, scope));
    } else if (action.kind === "frames") {
      this.#fill(action.frames);
      assertOurs(session);
    } else if ("match" in action && action.match !== undefined) this.#fill(asJson(action.match));
    else if (action.kind === "unsubscribe") this.#fill(action.unsubscribe);
  }

  /** The value, as far as it can be known before the run; undefined if it depends on an answer. */
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
    const found = referencesIn(text).map((name) => this.#named(name));
    if (found.length === 0) return text;
    return soleReference(text) === undefined ? undefined : found[0];
  }

  #named(name: string): Value | undefined {
    const { known } = this.#place;
    if (known.has(name)) return known.get(name);
    known.set(name, undefined);
    const template = resolved(`\${${name}}`, this.#place.names);
    const found = template === `\${${name}}` ? undefined : this.#fill(template);
    known.set(name, found);
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

  /**
   * An earlier step draws the product, so it is unknown here. If no product has such a price or size, the drawn one has
   * none either.
   */
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

  /** An expectation computes nothing, but the values that it refers to are computed. */
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
