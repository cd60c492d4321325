import type { Situation } from "./situation.ts";
import { cancelling } from "./situations/cancel.ts";
import { placing } from "./situations/place.ts";

/** In the order of the report. */
export const situations: readonly Situation[] = [...placing, ...cancelling];
