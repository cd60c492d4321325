/** What a view shows of the control surface, read again when the feed says that something has changed. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, token, world } from "./api.ts";
import { type Standing, standing } from "./feed.ts";

export interface Live<T> {
  readonly data: T | undefined;
  readonly error: string | undefined;
  readonly reload: () => void;
}

/** Reads of one path are at least so far apart. */
const everyMs = 200;

/** `on`: members of the standing whose change makes it read again. Null: nothing is read. */
export function useLive<T>(path: string | null, on: readonly (keyof Standing)[] = ["seq", "epoch"]): Live<T> {
  const data = useSignal<T | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const turn = useSignal(0);
  const now = standing.value;
  const key = now === null ? "" : on.map((name) => String(now[name])).join();
  const what = `${world.value} ${path ?? ""}`;
  const state = useSignal({ what: "", busy: false, again: false, last: 0 });

  useEffect(() => {
    if (state.value.what !== what) {
      data.value = undefined;
      error.value = undefined;
      state.value = { what, busy: false, again: false, last: 0 };
    }
    if (path === null || token.value === null) return;
    const mine = state.value;
    if (mine.busy) {
      mine.again = true;
      return;
    }
    mine.busy = true;
    const read = async (): Promise<void> => {
      const wait = mine.last + everyMs - performance.now();
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      mine.last = performance.now();
      mine.again = false;
      try {
        const found = await get<T>(path);
        if (state.value !== mine) return;
        data.value = found;
        error.value = undefined;
      } catch (failure) {
        if (state.value === mine) error.value = (failure as Error).message;
      }
      if (mine.again && state.value === mine) return read();
      mine.busy = false;
    };
    void read();
  }, [what, key, turn.value]);

  return { data: data.value, error: error.value, reload: () => (turn.value += 1) };
}
