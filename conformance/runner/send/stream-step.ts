import type { StreamStep } from "../../model/step.ts";
import type { CaseRun } from "../case-run.ts";
import type { Scope } from "../prepare/scope.ts";
import type { Stream } from "./stream.ts";

/** A `ws` step at work: the connection it speaks of, and where it leaves what it saw. */
export interface StreamAt {
  readonly stream: Stream;
  readonly step: StreamStep;
  readonly run: CaseRun;
  readonly scope: Scope;
}
