import { canShare, isAlone, type Task } from "../prepare/schedule.ts";

interface Waiting {
  readonly task: Task;
  readonly go: () => void;
}

/**
 * Runs tasks of several lanes side by side, as far as they may. Unlike a schedule it does not know in advance which
 * tasks will come.
 *
 * - Isolated tasks go first, one after the other if two exclude each other: they delay others, and tasks that may run
 *   beside them use that time. While one waits, no task begins that it would have to wait for again, unless another
 *   isolated task blocks it, too. Beside it only a part of the places is used; otherwise each of its requests would
 *   wait behind all of theirs.
 * - Tasks that run alone go last, when no other task waits, because they need an empty queue each time.
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
      // The next task of the same lane may arrive in this turn.
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

  /** Does one task leave free what the other, which is isolated and waits, needs? */
  #yields(one: Task, waiting: Task): boolean {
    if (isIsolated(one)) return rank(waiting) < rank(one);
    return [...this.#running].every((other) => !isIsolated(other) || canShare(waiting, other));
  }
}

/** The share of the places for tasks beside an isolated one. */
const besideIsolated = 0.2;

const order = ["account", "product", "shared", "exclusive"] as const;

/** A client is wider than a product: a task that needs one has the most tasks to wait for. */
const rank = (task: Task): number => (isAlone(task) ? order.length : order.indexOf(task.isolation));

const isIsolated = (task: Task): boolean => rank(task) < order.indexOf("shared");
