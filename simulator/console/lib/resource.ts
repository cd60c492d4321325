/** What a control says, asked again when the feed tells that it may have changed. */
import { effect, type ReadonlySignal, type Signal, untracked, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { type Answer, ask, askSurface, type Refusal } from "./api.ts";
import { news, type Watched } from "./feed.ts";
import { world } from "./router.ts";

export interface Loaded<T> {
  /** The newest that is known, also while there is a refusal. */
  readonly data: T | null;
  readonly refusal: Refusal | null;
}

const nothing: Loaded<never> = { data: null, refusal: null };
const leastRestMs = 150;

/** A path below the world that is shown; null asks nothing. `ofSurface`: a path below the control surface itself. */
export function useControl<T>(
  path: string | null,
  watched: Watched,
  ofSurface = false,
): ReadonlySignal<Loaded<T>> {
  const loaded = useSignal<Loaded<T>>(nothing);
  const shown = world.value;
  // Not after the next paint: the first question of a view is asked as early as can be.
  useLayoutEffect(() => {
    loaded.value = nothing;
    if (path === null) return undefined;
    const get = (gone: AbortSignal): Promise<Answer<T>> =>
      ofSurface ? askSurface("GET", path, undefined, gone) : ask("GET", path, undefined, gone);
    return keepLoading(get, loaded, watched);
  }, [path, watched, shown]);
  return loaded;
}

/** One question at a time. After each it rests three times as long as the answer took, so a long session is not made longer. */
function keepLoading<T>(
  get: (gone: AbortSignal) => Promise<Answer<T>>,
  loaded: Signal<Loaded<T>>,
  watched: Watched,
): () => void {
  const gone = new AbortController();
  let busy = false;
  let again = false;
  const load = async (): Promise<void> => {
    again = busy;
    if (busy) return;
    busy = true;
    const began = performance.now();
    const answer = await get(gone.signal);
    if (gone.signal.aborted) return;
    loaded.value = answer.ok
      ? { data: answer.data, refusal: null }
      : { data: loaded.value.data, refusal: answer.refusal };
    setTimeout(
      () => {
        busy = false;
        if (again && !gone.signal.aborted) void load();
      },
      Math.max(leastRestMs, 3 * (performance.now() - began)),
    );
  };
  const stop = effect(() => {
    void news[watched].value;
    untracked(() => void load());
  });
  return () => {
    stop();
    gone.abort();
  };
}
