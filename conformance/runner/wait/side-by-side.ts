import { SafetyStop } from "../../model/outcome.ts";
import { Schedule, type Task } from "../prepare/schedule.ts";

/** Waits for time to pass; meanwhile the task does not count as running. */
export type Sleep = (time: () => Promise<void>) => Promise<void>;

export interface Beside<T extends Task> {
  /** The most tasks at a time. */
  readonly limit: number;
  readonly run: (task: T, sleep: Sleep) => Promise<void>;
  /** May another task begin? */
  readonly open: () => boolean;
}

/**
 * Runs tasks beside each other as far as the schedule allows. After the first error the other running tasks end, and
 * then the error is thrown.
 */
export async function runSideBySide<T extends Task>(
  tasks: readonly T[],
  { limit, run, open }: Beside<T>,
): Promise<void> {
  const schedule = new Schedule(tasks, limit);
  const awaking = new Map<T, () => void>();
  const thrown: unknown[] = [];
  let underWay = 0;
  await new Promise<void>((resolve) => {
    const admit = (): void => {
      if (thrown.length > 0 || !open()) schedule.close();
      for (let task = schedule.next(); task !== undefined; task = schedule.next()) {
        const goOn = awaking.get(task) ?? begin;
        awaking.delete(task);
        goOn(task);
      }
      if (underWay === 0) resolve();
    };
    const aside = async (task: T, time: () => Promise<void>): Promise<void> => {
      schedule.fallsAsleep(task);
      admit();
      try {
        await time();
      } finally {
        await new Promise<void>((goOn) => {
          awaking.set(task, goOn);
          schedule.wakesUp(task);
          admit();
        });
      }
    };
    const begin = (task: T): void => {
      underWay += 1;
      void run(task, (time) => aside(task, time))
        .catch((error: unknown) => thrown.push(error))
        .finally(() => {
          underWay -= 1;
          schedule.finished(task);
          admit();
        });
    };
    admit();
  });
  if (thrown.length > 0) throw thrown.find((error) => error instanceof SafetyStop) ?? thrown[0];
}
