import { readJson } from "../../check/lossless-json.ts";
import { type Exchange, headerOf, textOf } from "../../model/exchange.ts";
import { type Json, JsonNumber, JsonObject } from "../../model/json.ts";
import { fromJson, isList, isMap, type Value, type ValueMap } from "../../model/value.ts";

/**
 * The names that a step may use. Variables of the file are templates, evaluated at first use. Values from the target
 * are final: nothing inside them is ever looked up, computed or used as a matcher.
 */
export interface Found {
  readonly value: Value;
  readonly final: boolean;
}

export interface StepRecord {
  readonly exchange: Exchange;
  /** The order and the list of such a reply, at the places that the profile names. */
  readonly orderOf: () => Json | undefined;
  readonly itemsOf: () => Json | undefined;
}

export class Scope {
  readonly #parent: Scope | undefined;
  readonly #definitions: ValueMap;
  readonly #row: ValueMap | undefined;
  readonly #values = new Map<string, Found>();
  readonly #captures: Map<string, Json>;
  readonly #missed: Map<string, string>;
  readonly #steps: Map<string, StepRecord>;
  readonly #collected: Map<string, readonly Exchange[]>;
  readonly #pending = new Set<string>();

  readonly #seen: ((exchange: Exchange) => void) | undefined;

  constructor(
    definitions: ValueMap,
    row: ValueMap | undefined,
    parent?: Scope,
    seen?: (exchange: Exchange) => void,
  ) {
    this.#definitions = definitions;
    this.#seen = seen;
    this.#row = row;
    this.#parent = parent;
    // Captures belong to the case, whichever inner scope the step ran in.
    this.#captures = parent === undefined ? new Map<string, Json>() : parent.#captures;
    this.#missed = parent === undefined ? new Map<string, string>() : parent.#missed;
    this.#steps = parent === undefined ? new Map<string, StepRecord>() : parent.#steps;
    this.#collected = parent === undefined ? new Map<string, readonly Exchange[]>() : parent.#collected;
  }

  /** `seen` is called with every exchange of the inner steps. */
  child(definitions: ValueMap, row?: ValueMap, seen?: (exchange: Exchange) => void): Scope {
    return new Scope(definitions, row, this, seen);
  }

  note(exchange: Exchange): void {
    this.#seen?.(exchange);
    this.#parent?.note(exchange);
  }

  capture(name: string, value: Json): void {
    this.#captures.set(name, value);
  }

  /** Why an earlier step did not deliver a value. */
  miss(name: string, reason: string): void {
    this.#missed.set(name, reason);
  }

  missed(reference: string): string | undefined {
    return this.#missed.get(reference.split(".")[0] ?? "");
  }

  captured(name: string): Json | undefined {
    return this.#captures.get(name);
  }

  remember(step: string, record: StepRecord): void {
    this.#steps.set(step, record);
  }

  record(step: string): StepRecord | undefined {
    return this.#steps.get(step);
  }

  records(): ReadonlyMap<string, StepRecord> {
    return this.#steps;
  }

  /** Takes over the captures and records of another scope. */
  adopt(other: Scope): void {
    for (const [name, value] of other.#captures) this.#captures.set(name, value);
    for (const [step, record] of other.#steps) this.#steps.set(step, record);
    for (const [name, exchanges] of other.#collected) this.#collected.set(name, exchanges);
  }

  collect(name: string, exchanges: readonly Exchange[]): void {
    this.#collected.set(name, [...(this.#collected.get(name) ?? []), ...exchanges]);
  }

  collected(name: string): readonly Exchange[] | undefined {
    return this.#collected.get(name);
  }

  /** Looks a reference up: row, captures, variables, earlier steps. `evaluate` computes a variable's definition. */
  find(reference: string, evaluate: (definition: Value, name: string) => Value): Found | undefined {
    const [head = "", ...path] = reference.split(".");
    const row = this.#nearestRow();
    if (head === "row" && row !== undefined) return below({ value: row, final: false }, path);
    const captured = this.#captures.get(head);
    if (captured !== undefined) return below({ value: fromJson(captured), final: true }, path);
    const step = this.#steps.get(head);
    if (step !== undefined) return below({ value: stepValue(step), final: true }, path);
    return below(this.#variable(head, evaluate), path);
  }

  #variable(name: string, evaluate: (definition: Value, name: string) => Value): Found | undefined {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    if (!Object.hasOwn(this.#definitions, name)) {
      return this.#parent === undefined ? undefined : this.#parent.#variable(name, evaluate);
    }
    if (this.#pending.has(name)) throw new Error(`the variable ${name} is defined by itself`);
    this.#pending.add(name);
    try {
      const found = { value: evaluate(this.#definitions[name] ?? null, name), final: true };
      this.#values.set(name, found);
      return found;
    } finally {
      this.#pending.delete(name);
    }
  }

  #nearestRow(): ValueMap | undefined {
    return this.#row ?? (this.#parent === undefined ? undefined : this.#parent.#nearestRow());
  }
}

function below(found: Found | undefined, path: readonly string[]): Found | undefined {
  let value = found?.value;
  for (const key of path) {
    if (isMap(value) && Object.hasOwn(value, key)) value = value[key];
    else if (isList(value) && /^\d+$/.test(key)) value = value[Number(key)];
    else return undefined;
  }
  return value === undefined || found === undefined ? undefined : { value, final: found.final };
}

/** A finished step as data: `${place.request.body}`, `${place.status}`, `${done.order.filledQuantity}`. */
function stepValue({ exchange, orderOf, itemsOf }: StepRecord): Value {
  const [order, items] = [orderOf(), itemsOf()];
  const { request, reply, json, stream } = exchange;
  const sent = readJson(request.body);
  const { signed } = request;
  return {
    request: {
      method: request.method,
      path: request.path,
      body: sent.ok ? fromJson(sent.json) : null,
      bodyText: textOf(request.body),
      ...(signed === undefined
        ? {}
        : {
            timestamp: signed.timestamp,
            nonce: signed.nonce,
            ...(signed.withheld === true ? {} : { signature: signed.signature }),
            keyId: signed.keyId,
          }),
    },
    ...(reply === undefined
      ? {}
      : {
          status: reply.status,
          headers: Object.fromEntries(
            reply.headers.map(([name]) => [name.toLowerCase(), headerOf(reply, name) ?? ""]),
          ),
        }),
    ...(json === undefined ? {} : { body: fromJson(json) }),
    ...(stream === undefined ? {} : { event: fromJson(stream.event) }),
    ...(order === undefined ? {} : { order: fromJson(order) }),
    ...(items === undefined ? {} : { items: fromJson(items) }),
    latencyMs: Math.round(exchange.endedAt - exchange.startedAt),
  };
}

/** The reverse conversion, for matchers that compare with a captured value. */
export function toJson(value: Value): Json {
  if (typeof value === "number") return new JsonNumber(String(value));
  if (isList(value)) return value.map(toJson);
  if (!isMap(value)) return value;
  if (typeof value["$json"] === "string") return new JsonNumber(value["$json"]);
  return new JsonObject(new Map(Object.entries(value).map(([key, item]) => [key, toJson(item)])));
}
