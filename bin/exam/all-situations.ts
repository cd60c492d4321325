import type { Situation } from "./situation.ts";
import { keepingBooks } from "./situations/book.ts";
import { cancelling } from "./situations/cancel.ts";
import { following } from "./situations/follow.ts";
import { placing } from "./situations/place.ts";

/** In the order of the report. */
export const situations: readonly Situation[] = [...placing, ...cancelling, ...following, ...keepingBooks];
