import type { ValueMap } from "./value.ts";

/** A mistake that a gateway may make when it implements the specification. */
export interface Dialect {
  readonly id: string;
  /** Completes "the target accepts a request if …". */
  readonly title: string;
  readonly edit: ValueMap;
  /** The clause that the mistake breaks. */
  readonly breaks: string;
}
