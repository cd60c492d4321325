import { SafetyStop } from "../model/outcome.ts";
import { Schedule, type Task } from "./schedule.ts";

export interface Beside<T extends Task> {
  /** At most so many at a time. */
  readonly limit: number;
  readonly run: (task: T) => Promise<void>;
  /** May another one begin? */
  readonly open: () => boolean;
}

/** Runs tasks beside each other as far as the schedule lets them; the first that throws ends it, when the others have ended. */
export async function runSideBySide<T extends Task>(
  tasks: readonly T[],
  { limit, run, open }: Beside<T>,
): Promise<void> {
  const schedule = new Schedule(tasks, limit);
  const running = new Set<Promise<void>>();
  const thrown: unknown[] = [];
  const begin = async (task: T): Promise<void> => {
    try {
      await run(task);
    } catch (error) {
      thrown.push(error);
    } finally {
      schedule.finished(task);
    }
  };
  while (!schedule.done) {
    const mayBegin = thrown.length === 0 && open();
    for (let task = mayBegin ? schedule.next() : undefined; task !== undefined; task = schedule.next()) {
      const ending = begin(task).finally(() => running.delete(ending));
      running.add(ending);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  if (thrown.length > 0) throw thrown.find((error) => error instanceof SafetyStop) ?? thrown[0];
}
