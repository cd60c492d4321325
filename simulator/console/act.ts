/** An action of the reader: it is done, or refused in the sandbox's own words. */
import { signal } from "@preact/signals";

export interface Note {
  readonly id: number;
  readonly kind: "done" | "refused";
  readonly text: string;
}

export const notes = signal<readonly Note[]>([]);
let count = 0;

const shownMs = 7_000;

export function say(kind: Note["kind"], text: string): void {
  const id = ++count;
  notes.value = [...notes.value.slice(-3), { id, kind, text }];
  setTimeout(() => dismiss(id), shownMs);
}

export const dismiss = (id: number): void => {
  notes.value = notes.value.filter((note) => note.id !== id);
};

export async function act<T>(done: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    const answer = await action();
    say("done", done);
    return answer;
  } catch (error) {
    say("refused", (error as Error).message);
    return undefined;
  }
}
