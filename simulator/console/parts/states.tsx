/** What a part of the page shows when it has nothing, not yet, or not any more: each says what to do. */
import type { ComponentChildren } from "preact";
import type { Refusal } from "../lib/api.ts";
import type { Loaded } from "../lib/resource.ts";
import { visible } from "../lib/visible.ts";

export const Empty = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="empty">{children}</p>
);

/** A refusal in the sandbox's own words. */
export const Problem = ({ refusal }: { readonly refusal: Refusal }) => (
  <p class="problem" role="alert">
    {refusal.status > 0 && (
      <b>
        {refusal.status} {visible(refusal.code)}{" "}
      </b>
    )}
    {visible(refusal.message)}
  </p>
);

interface LoadedProps<T> {
  readonly of: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** The data; with it, or in its place, why there is no newer. */
export const Show = <T,>({ of: { data, refusal }, children }: LoadedProps<T>) => (
  <>
    {refusal !== null && <Problem refusal={refusal} />}
    {data === null && refusal === null && (
      <p class="empty" aria-busy="true">
        Loading …
      </p>
    )}
    {data !== null && children(data)}
  </>
);
