/**
 * Makes a scenario that fails as small as it can be while it still fails: first what the failing step depends on, then delta
 * debugging over the steps, then over everything in them (Misherghi and Su, "HDD: hierarchical delta debugging", 2006).
 *
 * **Invariant.** `best` has failed when it was tried, or is the scenario that was given.
 */
import { isList, isMap, type ValueMap } from "../model/value.ts";
import { closed, definedBy, sliceOf, stepsIn } from "./names.ts";
import { reduce } from "./reduce.ts";
import {
  holdsSteps,
  loosened,
  type Place,
  plainerValues,
  simplerForms,
  valueAt,
  withValueAt,
} from "./tree.ts";

export interface Shrinking {
  /** Whether the failure is still there. An invalid scenario does not fail. */
  readonly fails: (document: ValueMap) => Promise<boolean>;
  /** Whether it must also hold where the bug is not: asked for what fails. */
  readonly holdsElsewhere?: ((document: ValueMap) => Promise<boolean>) | undefined;
  readonly onSmaller: (steps: number) => void;
  /** Asked before each try: the time, the tries or the patience is used up. */
  readonly isOver: () => boolean;
}

class Over extends Error {}

export class Shrinker {
  best: ValueMap;
  /** Whether it ended because there was nothing left to do. */
  isDone = false;
  readonly #shrinking: Shrinking;
  readonly #known = new Map<string, boolean>();
  #mustHoldElsewhere = false;

  constructor(document: ValueMap, shrinking: Shrinking) {
    this.best = document;
    this.#shrinking = shrinking;
  }

  /** Whether the result was seen to hold where the bug is not. */
  get holdsElsewhere(): boolean {
    return this.#mustHoldElsewhere;
  }

  /** `failed`: the step that showed the failure, if one is known. */
  async shrink(failed: string | undefined): Promise<void> {
    try {
      await this.#begin(failed);
      for (let size = Infinity; sizeOf(this.best) < size; ) {
        size = sizeOf(this.best);
        await this.#part(["steps"]);
        await this.#parts(failed);
      }
      this.isDone = true;
    } catch (error) {
      if (!(error instanceof Over)) throw error;
    }
  }

  /** From many steps to those that matter, in as few tries as possible: each may take long. */
  async #begin(failed: string | undefined): Promise<void> {
    const all = stepsIn(this.best["steps"]);
    const last = all.findIndex((step) => failed !== undefined && definedBy(step).includes(failed));
    const end = last === -1 ? await this.#shortestBeginning(all.length) : last;
    const { holdsElsewhere } = this.#shrinking;
    const failing: ValueMap[] = [];
    for (const candidate of endings(this.best, end, failed)) {
      if (!(await this.#asks(candidate))) continue;
      failing.push(candidate);
      this.#mustHoldElsewhere = holdsElsewhere !== undefined && (await holdsElsewhere(candidate));
      if (this.#mustHoldElsewhere || holdsElsewhere === undefined) break;
    }
    const found = this.#mustHoldElsewhere ? failing.at(-1) : failing[0];
    if (found !== undefined) this.#take(found);
  }

  /** By halving: whatever fails in the beginning also fails when more follows. */
  async #shortestBeginning(length: number): Promise<number> {
    const { best } = this;
    const all = stepsIn(best["steps"]);
    let [low, high] = [1, length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (await this.#asks(closed({ ...best, steps: all.slice(0, middle) }, best))) high = middle;
      else low = middle + 1;
    }
    return high - 1;
  }

  async #parts(failed: string | undefined): Promise<void> {
    await this.#tries(loosened(this.best, failed));
    await this.#part([]);
    for (const key of Object.keys(this.best)) if (!kept.has(key) || key === "steps") await this.#below([key]);
  }

  /** Of the items of the list, or of the members of the map, at a place: the least. */
  async #part(place: Place): Promise<void> {
    const base = this.best;
    const node = valueAt(base, place);
    const isFixed = (key: string): boolean =>
      place.length === 0 ? kept.has(key) : key === "id" && holdsSteps(place.slice(0, -1));
    const put = (value: ValueMap | ValueMap[string]): Promise<boolean> => {
      const whole = withValueAt(base, place, value);
      return isMap(whole) ? this.#tries(closed(whole, base)) : Promise.resolve(false);
    };
    if (isList(node)) await least([...node.keys()], (part) => put(part.map((index) => node[index] ?? null)));
    else if (isMap(node))
      await least(
        Object.keys(node).filter((key) => !isFixed(key)),
        (part) =>
          put(Object.fromEntries(Object.entries(node).filter(([key]) => isFixed(key) || part.includes(key)))),
      );
  }

  async #below(place: Place): Promise<void> {
    const node = valueAt(this.best, place);
    if (!isList(node) && !isMap(node)) return this.#plainer(place);
    await this.#part(place);
    if (holdsSteps(place)) await this.#unwrap(place);
    // Others may have gone with the part that was tried.
    for (let index = 0; index < childrenOf(this.best, place).length; index += 1) {
      const key = childrenOf(this.best, place)[index];
      if (key !== undefined && !(key === "id" && holdsSteps(place.slice(0, -1))))
        await this.#below([...place, key]);
    }
  }

  async #unwrap(place: Place): Promise<void> {
    for (let index = 0; index < childrenOf(this.best, place).length; ) {
      const steps = stepsIn(valueAt(this.best, place));
      const forms = simplerForms(steps[index] ?? {}).filter(({ length }) => length > 0);
      const found = await this.#first(forms, (form) =>
        withValueAt(this.best, place, steps.toSpliced(index, 1, ...form)),
      );
      if (!found) index += 1;
    }
  }

  async #plainer(place: Place): Promise<void> {
    const value = valueAt(this.best, place);
    if (value !== undefined && !place.some((key) => judging.has(key)))
      await this.#first(plainerValues(value), (plain) => withValueAt(this.best, place, plain));
  }

  /** Takes the first candidate that fails. */
  async #first<Form>(forms: readonly Form[], made: (form: Form) => unknown): Promise<boolean> {
    for (const form of forms) {
      // as: a part of a scenario was replaced, and the whole is still one.
      if (await this.#tries(closed(made(form) as ValueMap, this.best))) return true;
    }
    return false;
  }

  async #tries(candidate: ValueMap): Promise<boolean> {
    if (sizeOf(candidate) === sizeOf(this.best) && JSON.stringify(candidate) === JSON.stringify(this.best))
      return true;
    const { holdsElsewhere } = this.#shrinking;
    if (!(await this.#asks(candidate))) return false;
    if (this.#mustHoldElsewhere && holdsElsewhere !== undefined && !(await holdsElsewhere(candidate))) {
      this.#known.set(JSON.stringify(candidate), false);
      return false;
    }
    this.#take(candidate);
    return true;
  }

  #take(candidate: ValueMap): void {
    this.best = candidate;
    this.#shrinking.onSmaller(stepsIn(candidate["steps"]).length);
  }

  async #asks(candidate: ValueMap): Promise<boolean> {
    if (stepsIn(candidate["steps"]).length === 0) return false;
    const text = JSON.stringify(candidate);
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#shrinking.isOver()) throw new Over();
    const fails = await this.#shrinking.fails(candidate);
    this.#known.set(text, fails);
    return fails;
  }
}

/** The keys that every scenario has, and its author's words. */
const kept: ReadonlySet<string> = new Set(["kit", "id", "title", "why", "spec", "origin", "steps"]);

/** The expectations of a step are not simplified: another expectation would be another failure. */
const judging: ReadonlySet<string | number> = new Set([
  "expect",
  "should",
  "observe",
  "until",
  "match",
  "is",
]);

const sizeOf = (document: ValueMap): number => JSON.stringify(document).length;

/**
 * The steps that the last step depends on, with more and more of the steps before it: first without the expectations of all
 * others, which tie steps together that have nothing to do with each other.
 */
function* endings(document: ValueMap, end: number, failed: string | undefined): Generator<ValueMap> {
  for (const base of [loosened(document, failed), document]) {
    const slice = sliceOf(base, end);
    for (const count of windows(end + 1)) {
      const near = (_: ValueMap, index: number): boolean =>
        index <= end && (slice.has(index) || index > end - count);
      yield closed({ ...base, steps: stepsIn(base["steps"]).filter(near) }, base);
    }
  }
}

/** How many of the last steps are tried beside those that matter; all of them at the end. */
function* windows(length: number): Generator<number> {
  for (let count = 0; count < length; count = Math.max(4, count * 4)) yield count;
  yield length;
}

function childrenOf(document: ValueMap, place: Place): (string | number)[] {
  const node = valueAt(document, place);
  return isList(node) ? [...node.keys()] : isMap(node) ? Object.keys(node) : [];
}

/** Nothing at all, or the least that fails. */
async function least<Item>(
  items: readonly Item[],
  fails: (part: readonly Item[]) => Promise<boolean>,
): Promise<void> {
  if (items.length === 0 || (await fails([]))) return;
  await reduce(items, fails);
}
