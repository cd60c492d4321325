import type { AmbientReading } from "../../check/ambient.ts";
import { shorten } from "../../check/describe.ts";
import { type Exchange, headerOf } from "../../model/exchange.ts";
import type { Promises } from "../prepare/promises.ts";

export interface AmbientLine {
  readonly clause: string;
  readonly severity: "fail" | "warn";
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  readonly count: number;
  readonly firstRequest: string;
  /** Cases and properties in whose traffic it was seen; the list has a limit. */
  readonly cases?: readonly string[];
  /** The entry of the expectation file that expected it. */
  readonly expectedBy?: string;
}

const mostPlaces = 50;

/** Collects the findings of every reply; one line per clause and place, with a counter. */
export class AmbientLog {
  readonly #promises: Pick<Promises, "levelOf">;
  readonly #exercised = new Map<string, number>();
  readonly #lines = new Map<string, AmbientLine>();
  readonly #places = new Map<string, Set<string>>();
  redirects = 0;
  /** Told of each difference, while its request is the last one. */
  onFound: ((clause: string, pointer: string, exchange: Exchange) => void) | undefined;

  constructor(promises: Pick<Promises, "levelOf">) {
    this.#promises = promises;
  }

  add(reading: AmbientReading, exchange: Exchange): void {
    const status = exchange.reply?.status ?? 0;
    if (status >= 300 && status < 400 && headerOf(exchange.reply, "location") !== undefined)
      this.redirects += 1;
    for (const clause of reading.exercised)
      this.#exercised.set(clause, (this.#exercised.get(clause) ?? 0) + 1);
    for (const { clause, pointer, expected, actual } of reading.differences) {
      const place = this.#placeOf(clause, shorten(pointer, 300).replace(/\/\d+/g, "/*"));
      const key = `${clause} ${place}`;
      const known = this.#lines.get(key);
      const firstRequest = known?.firstRequest ?? `${exchange.request.method} ${exchange.request.path}`;
      const severity = this.#promises.levelOf(clause) === "required" ? "fail" : "warn";
      const shown = known ?? { clause, severity, pointer: place, expected, actual, firstRequest };
      const cases = withCase(known?.cases ?? [], exchange.request.permit?.caseId);
      this.#lines.set(key, { ...shown, count: (known?.count ?? 0) + 1, cases });
      this.onFound?.(clause, place, exchange);
    }
  }

  /** The target chooses the names of places, so their number per clause is limited. */
  #placeOf(clause: string, place: string): string {
    const places = this.#places.get(clause) ?? new Set();
    this.#places.set(clause, places);
    if (places.size < mostPlaces) places.add(place);
    return places.has(place) ? place : "(elsewhere)";
  }

  get exercised(): ReadonlySet<string> {
    return new Set(this.#exercised.keys());
  }

  get lines(): AmbientLine[] {
    return [...this.#lines.values()];
  }
}

const mostCases = 500;

/** Trials of a property count as the property. The steps of a shared fragment belong to no case. */
function withCase(cases: readonly string[], caseId = ""): readonly string[] {
  const id = caseId.replace(/^(P-\d\d)#.*$/s, "$1");
  const known = id === "" || id.startsWith("shared:") || cases.includes(id) || cases.length >= mostCases;
  return known ? cases : [...cases, id];
}
