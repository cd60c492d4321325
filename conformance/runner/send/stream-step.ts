import type { StreamStep } from "../../model/step.ts";
import type { CaseRun } from "../case-run.ts";
import type { Scope } from "../prepare/scope.ts";
import type { Stream } from "./stream.ts";

/** The context of a running `ws` step: its connection, and the place for its results. */
export interface StreamAt {
  readonly stream: Stream;
  readonly step: StreamStep;
  readonly run: CaseRun;
  readonly scope: Scope;
}
