import { canShare, isAlone, type Task } from "../prepare/schedule.ts";

interface Waiting {
  readonly task: Task;
  readonly go: () => void;
}

/**
 * Lets tasks of several lanes run side by side, as far as they may. Unlike a schedule it does not know beforehand which
 * tasks will come.
 *
 * - What is isolated goes first, one after the other where two exclude each other: it keeps others waiting, and what may run
 *   beside it uses that time. While it waits, nothing begins that it would have to wait for again, unless something isolated is
 *   in its way, too; and beside it no more is under way than a part of the places, or it would stand in line behind all of them
 *   with each of its requests.
 * - What runs alone goes last, when nobody else waits: each time nothing else may be running.
 */
export class TaskQueue {
  readonly #limit: number;
  readonly #running = new Set<Task>();
  #waiting: readonly Waiting[] = [];

  constructor(limit: number) {
    this.#limit = Math.max(1, limit);
  }

  async run<T>(task: Task, work: () => Promise<T>): Promise<T> {
    await new Promise<void>((go) => {
      this.#waiting = [...this.#waiting, { task, go }].sort(
        (one, other) => rank(one.task) - rank(other.task),
      );
      this.#admit();
    });
    try {
      return await work();
    } finally {
      this.#running.delete(task);
      // The next of the same lane may be as good as here.
      setImmediate(() => this.#admit());
    }
  }

  #admit(): void {
    const kept: Waiting[] = [];
    const isolated = [...this.#running, ...this.#waiting.map(({ task }) => task)].some(isIsolated);
    const shared = isolated ? Math.ceil(this.#limit * besideIsolated) : this.#limit;
    for (const one of this.#waiting) {
      const places = isIsolated(one.task) ? this.#limit : shared;
      const hasRoom = this.#running.size < places && !(isAlone(one.task) && kept.length > 0);
      if (hasRoom && this.#mayBegin(one.task, kept)) {
        this.#running.add(one.task);
        one.go();
      } else kept.push(one);
    }
    this.#waiting = kept;
  }

  #mayBegin(one: Task, before: readonly Waiting[]): boolean {
    for (const other of this.#running) if (!canShare(one, other)) return false;
    return !before.some(({ task }) => isIsolated(task) && !canShare(one, task) && this.#yields(one, task));
  }

  /** Does one leave free what the other, which is isolated and waits, is going to need? */
  #yields(one: Task, waiting: Task): boolean {
    if (isIsolated(one)) return rank(waiting) < rank(one);
    return [...this.#running].every((other) => !isIsolated(other) || canShare(waiting, other));
  }
}

/** The share of the places that others have beside what is isolated. */
const besideIsolated = 0.2;

const order = ["account", "product", "shared", "exclusive"] as const;

/** A client is a wider field than a product: what needs one has the most to wait for. */
const rank = (task: Task): number => (isAlone(task) ? order.length : order.indexOf(task.isolation));

const isIsolated = (task: Task): boolean => rank(task) < order.indexOf("shared");
