import { type SafetyClass, safetyClasses } from "../../model/profile.ts";

/**
 * Decides which task may run next. Pure: its caller reports the begin and the end of tasks, and it knows neither the
 * time nor the target.
 *
 * - Safety classes follow each other. No task of a class begins before the previous class is done, so that failures
 *   happen first where they do no harm.
 * - At most `limit` tasks run at a time, in the given order. A task that may not run beside the current ones is
 *   overtaken by later ones, at most `limit` times; then they wait until it has run. So every task runs in the end.
 * - `alone` runs beside no other task, because a race, a moved clock and an injected fault affect others. A race with
 *   the isolation `account` does not: it only needs its clients for itself.
 * - `account` runs beside no other task that orders for one of its clients, `product` beside no other that orders the
 *   same product.
 * - A sleeping task may leave: no task waits for it, not even the next class. Tasks that it excludes still wait, and
 *   all other tasks may overtake those meanwhile. It continues before any new task begins.
 */
export interface Task {
  readonly id: string;
  readonly safety: SafetyClass;
  readonly isolation: "shared" | "account" | "product" | "exclusive";
  readonly alone: boolean;
  /** Does the task place or end orders? */
  readonly orders: boolean;
  /** The clients of the keys that it uses. */
  readonly clients: ReadonlySet<string>;
  /** The products that it orders or looks at; undefined if they are unknown. */
  readonly products: ReadonlySet<string> | undefined;
}

export class Schedule<T extends Task> {
  readonly #limit: number;
  #waiting: T[];
  readonly #running = new Set<T>();
  readonly #asleep = new Set<T>();
  /** Tasks that have finished a sleep. Their class may be over. */
  readonly #awake = new Set<T>();
  readonly #passed = new Map<T, number>();

  constructor(tasks: readonly T[], limit: number) {
    this.#limit = Math.max(1, limit);
    this.#waiting = safetyClasses.flatMap((safety) => tasks.filter((task) => task.safety === safety));
  }

  /** The next task that may begin or continue beside those that run; undefined if one of them has to end first. */
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

  /** No task begins any more. Tasks that have begun run to their end. */
  close(): void {
    this.#waiting = this.#waiting.filter((task) => this.#awake.has(task));
  }

  fallsAsleep(task: T): void {
    this.#running.delete(task);
    this.#asleep.add(task);
  }

  /** `next` returns it once more. */
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
