/**
 * Goes on with the search for the mistake behind a wrong signature after the request was answered: one search at a time, a
 * little in each turn of the event loop, with a rest after it, so that requests go on meanwhile.
 *
 * **Bounds.** Each search gets `mostMs` of work. At most `mostWaiting` searches wait; one more is given up, and stays
 * unfinished.
 */
import type { SignatureSearch } from "../auth/signature-search.ts";

const turnMs = 2;
/** So the searches of a flood take a quarter of a processor. */
const restMs = 6;
const restMsWhenAsked = 1;
const mostMs = 1000;
const mostWaiting = 32;

interface Patient {
  readonly name: string;
  readonly search: SignatureSearch;
  readonly done: () => void;
  turnsLeft: number;
}

export class Doctor {
  #waiting: Patient[] = [];
  #timer: NodeJS.Timeout | null = null;
  #settled: { readonly name: string; readonly resolve: () => void }[] = [];

  /** `done` hears of the end, with or without a result. */
  examine(name: string, search: SignatureSearch, done: () => void): void {
    if (this.#waiting.length >= mostWaiting) return;
    this.#waiting.push({ name, search, done, turnsLeft: mostMs / turnMs });
    this.#timer ??= setTimeout(() => this.#turn(), 0);
  }

  /** Resolves when nothing of this name waits; a search that somebody asks for comes first. */
  settled(name: string): Promise<void> {
    const asked = this.#waiting.filter((patient) => patient.name === name);
    if (asked.length === 0) return Promise.resolve();
    this.#waiting = [...asked, ...this.#waiting.filter((patient) => patient.name !== name)];
    return new Promise((resolve) => this.#settled.push({ name, resolve }));
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = [];
    this.#tell();
  }

  #turn(): void {
    this.#timer = null;
    const [patient] = this.#waiting;
    if (patient === undefined) return;
    patient.search.goOn(turnMs);
    patient.turnsLeft -= 1;
    if (patient.search.isOver || patient.turnsLeft <= 0) {
      this.#waiting.shift();
      patient.done();
      this.#tell();
    }
    const rest = this.#settled.length > 0 ? restMsWhenAsked : restMs;
    if (this.#waiting.length > 0) this.#timer = setTimeout(() => this.#turn(), rest);
  }

  #tell(): void {
    const isWaiting = (name: string): boolean => this.#waiting.some((patient) => patient.name === name);
    const told = this.#settled.filter(({ name }) => !isWaiting(name));
    this.#settled = this.#settled.filter(({ name }) => isWaiting(name));
    for (const { resolve } of told) resolve();
  }
}
