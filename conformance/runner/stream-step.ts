import type { Step } from "../model/scenario.ts";
import type { CaseRun } from "./case-run.ts";
import type { Scope } from "./scope.ts";
import type { Stream } from "./stream.ts";

/** A `ws` step at work: the connection it speaks of, and where it leaves what it saw. */
export interface StreamStep {
  readonly stream: Stream;
  readonly step: Step;
  readonly run: CaseRun;
  readonly scope: Scope;
}
