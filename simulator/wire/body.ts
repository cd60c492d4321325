/**
 * The top level of a body: which of its members somebody reads, and what is wrong with them. What nobody reads is
 * ignored and told, or refused, as the venue's setting says (F-unknown-request-fields). A `null` counts as absent.
 */
import { nearestName } from "../domain/nearest-name.ts";
import { err, type Result } from "../domain/result.ts";
import type { Problem } from "./order-request.ts";

export interface DecodeOptions {
  /** F-unknown-request-fields */
  readonly unknownFields: "ignore" | "reject";
}

/** What a body says, or all that is wrong with it; `ignored` names the members that were not used. */
export type Decoded<T> = Result<T, readonly Problem[]> & { readonly ignored: readonly string[] };

/** Reads fields and collects everything that is wrong, not just the first. */
export class BodyReader {
  readonly problems: Problem[] = [];
  readonly #body: Readonly<Record<string, unknown>>;
  readonly #known: readonly string[];

  constructor(body: Readonly<Record<string, unknown>>, known: readonly string[]) {
    this.#body = body;
    this.#known = known;
  }

  /** Null after refusing a body that is no object. */
  static over(body: unknown, known: readonly string[]): BodyReader | null {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
    // as: parsed JSON that is an object and no list.
    return new BodyReader(body as Readonly<Record<string, unknown>>, known);
  }

  /** Never what a prototype holds. */
  own(field: string): unknown {
    return Object.hasOwn(this.#body, field) ? (this.#body[field] ?? undefined) : undefined;
  }

  /** The value, or undefined after noting that it is missing, and which unknown member looks like it. */
  present(field: string, issue = "is required"): unknown {
    const value = this.own(field);
    if (value !== undefined) return value;
    const near = this.#unknown().find((name) => nearestName(name, this.#known) === field);
    this.refuse(
      field,
      near === undefined ? issue : `${issue}; the body has ${JSON.stringify(shown(near))} instead`,
    );
    return undefined;
  }

  refuse(field: string, issue: string, value?: unknown): null {
    this.problems.push(value === undefined ? { field, issue } : { field, issue, value: shown(value) });
    return null;
  }

  /** Members that were given for nothing: unknown ones, unless they are refused, and those of `unused`. */
  ignored(unused: readonly string[], { unknownFields }: DecodeOptions): readonly string[] {
    const unknown = this.#unknown();
    if (unknownFields === "reject") for (const field of unknown) this.refuse(field, this.#noField(field));
    const given = unused.filter((field) => this.own(field) !== undefined);
    return unknownFields === "reject" ? given : [...given, ...unknown];
  }

  #noField(field: string): string {
    const near = nearestName(field, this.#known);
    const hint = near === null ? "" : `; did you mean ${JSON.stringify(near)}?`;
    return `is not a field of this body: it takes ${this.#known.join(", ")}${hint}`;
  }

  #unknown(): readonly string[] {
    return Object.keys(this.#body).filter((name) => !this.#known.includes(name));
  }
}

export const notAnObject = (): Decoded<never> => ({
  ...err([{ field: "", issue: "the body must be one JSON object" }]),
  ignored: [],
});

export const kindOf = (value: unknown): string =>
  Array.isArray(value) ? "list" : value === null ? "null" : typeof value;

/** Enough of the value to recognise it; never a whole document. */
function shown(value: unknown): unknown {
  if (typeof value === "string") return value.length > 64 ? `${value.slice(0, 64)}…` : value;
  return typeof value === "number" || typeof value === "boolean" ? value : kindOf(value);
}
