import { type SafetyClass, safetyClasses } from "../../model/profile.ts";

/**
 * Who may run now. Pure: it is told what begins and ends and knows neither time nor the target.
 *
 * - Safety classes follow each other. Nothing of a class begins before the class before it is done, so that what goes
 *   wrong harmlessly goes wrong first.
 * - At most `limit` tasks run at a time, taken in the given order. A task that may not run beside what is running is
 *   passed by those behind it, at most `limit` times; then they wait, too, until it has run. Nobody is starved.
 * - `alone` runs beside nothing: a race, a moved clock and an injected fault would be felt by others. A race with the isolation
 *   `account` is none of these: what it needs for itself is its clients.
 * - `account` runs beside no other task that orders for one of its clients, `product` beside no other that orders where it does.
 * - A task that sleeps may leave: nobody waits for it, the next class neither, but what is isolated from it still is, and all the
 *   others pass that meanwhile. It comes back before anything that has not begun.
 */
export interface Task {
  readonly id: string;
  readonly safety: SafetyClass;
  readonly isolation: "shared" | "account" | "product" | "exclusive";
  readonly alone: boolean;
  /** Do orders come into being, or end? */
  readonly orders: boolean;
  /** The clients behind the keys it uses. */
  readonly clients: ReadonlySet<string>;
  /** The products that it orders or looks at; undefined where nobody knows. */
  readonly products: ReadonlySet<string> | undefined;
}

export class Schedule<T extends Task> {
  readonly #limit: number;
  #waiting: T[];
  readonly #running = new Set<T>();
  readonly #asleep = new Set<T>();
  /** What has slept. It belongs to a class that may be over. */
  readonly #awake = new Set<T>();
  readonly #passed = new Map<T, number>();

  constructor(tasks: readonly T[], limit: number) {
    this.#limit = Math.max(1, limit);
    this.#waiting = safetyClasses.flatMap((safety) => tasks.filter((task) => task.safety === safety));
  }

  /** The next task that may begin, or go on, beside those that run; undefined when one of them has to end first. */
  next(): T | undefined {
    if (this.#running.size >= this.#limit) return undefined;
    const stage = [...this.#running, ...this.#waiting].find((task) => !this.#awake.has(task))?.safety;
    const passed: T[] = [];
    for (const task of this.#waiting) {
      if (task.safety !== stage && !this.#awake.has(task)) return undefined;
      if ([...this.#asleep].some((other) => excludes(task, other) || excludes(other, task))) continue;
      if ([...this.#running].every((other) => canShare(task, other))) return this.#begin(task, passed);
      if ((this.#passed.get(task) ?? 0) >= this.#limit) return undefined;
      passed.push(task);
    }
    return undefined;
  }

  finished(task: T): void {
    this.#running.delete(task);
    this.#passed.delete(task);
    this.#awake.delete(task);
  }

  /** Nothing begins any more. What has begun comes to its end. */
  close(): void {
    this.#waiting = this.#waiting.filter((task) => this.#awake.has(task));
  }

  fallsAsleep(task: T): void {
    this.#running.delete(task);
    this.#asleep.add(task);
  }

  /** `next` names it once more. */
  wakesUp(task: T): void {
    this.#asleep.delete(task);
    this.#awake.add(task);
    this.#waiting.unshift(task);
  }

  #begin(task: T, passed: readonly T[]): T {
    for (const other of passed) this.#passed.set(other, (this.#passed.get(other) ?? 0) + 1);
    this.#waiting.splice(this.#waiting.indexOf(task), 1);
    this.#running.add(task);
    return task;
  }
}

export function canShare(one: Task, other: Task): boolean {
  if (isAlone(one) || isAlone(other)) return false;
  return !excludes(one, other) && !excludes(other, one);
}

export const isAlone = (task: Task): boolean => task.alone || task.isolation === "exclusive";

function excludes(task: Task, other: Task): boolean {
  if (!other.orders) return false;
  if (task.isolation === "product") return meet(task.products, other.products);
  return task.isolation === "account" && [...task.clients].some((client) => other.clients.has(client));
}

function meet(some: Task["products"], others: Task["products"]): boolean {
  return some === undefined || others === undefined || [...some].some((product) => others.has(product));
}
