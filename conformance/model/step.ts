/**
 * The steps of a scenario, as the reader (`parse/step.ts`) makes them. Lint, effort, plan, run, judge and replay all
 * use this tree. The form of steps in a file is in `language.ts`.
 */
import type {
  Call,
  ClockMove,
  Close,
  Closed,
  Condition,
  Connect,
  Expectation,
  Expr,
  Frames,
  Matcher,
  Message,
  Raw,
  Subscribe,
  SwitchedExpectation,
  Unsubscribe,
} from "./language.ts";
import type { Path, Position } from "./position.ts";
import type { ValueMap } from "./value.ts";

/** The actions of a step; each step has exactly one. */
export const actionNames = [
  "call",
  "raw",
  "ws",
  "poll",
  "never",
  "concurrent",
  "repeat",
  "group",
  "use",
  "assert",
  "check",
  "clock",
  "inject",
  "sleep",
] as const;

/** The strength of an assertion: its failure is a failure of the case, a warning or a note. */
export const strengths = ["expect", "should", "observe"] as const;
export type Strength = (typeof strengths)[number];

/** The members of every step, whatever its action. */
interface StepTraits {
  readonly id?: string;
  readonly rows: readonly ValueMap[];
  readonly note?: string;
  readonly when?: Condition;
  readonly spec: readonly string[];
  /** `block`: the following steps depend on this one, and without it the case cannot judge anything. */
  readonly onFail: "stop" | "continue" | "block";
  readonly timeoutMs?: number;
  readonly assertions: Readonly<Partial<Record<Strength, Expectation>>>;
  readonly capture: ValueMap;
  /** The place in the file, for messages of the run, and for lint, which also points at inner values. */
  readonly position: Position;
  readonly path: Path;
}

export interface CallStep extends StepTraits {
  readonly action: "call";
  readonly call: Call;
}

export interface RawStep extends StepTraits {
  readonly action: "raw";
  readonly raw: Raw;
}

/** Repeats a request until the condition holds. */
export interface PollStep extends StepTraits {
  readonly action: "poll";
  readonly call: Call;
  readonly until: Expectation;
  readonly everyMs: number;
  readonly withinMs: number;
  /** The number of successive replies for which the condition must hold. */
  readonly stable: number;
  readonly backoff: number;
}

/** The condition must not come true during the time. */
export interface NeverStep extends StepTraits {
  readonly action: "never";
  readonly call: Call;
  readonly match: Expectation;
  readonly everyMs: number;
  readonly forMs: number;
}

export interface StreamStep extends StepTraits {
  readonly action: "ws";
  /** The name of the connection. */
  readonly on: string;
  readonly does: StreamAction;
}

/** Where a wait starts: at the beginning of the connection, at new messages, or after the last message found. */
export type WaitFrom = "connect" | "now" | "read";

export interface ExpectMessage {
  readonly match: Expectation;
  readonly withinMs: number;
  readonly from: WaitFrom;
}

export interface UntilMessage extends ExpectMessage {
  readonly collect?: string;
}

export interface CollectMessages {
  readonly forMs: number;
  readonly as: string;
  readonly match?: Expectation;
  readonly from: WaitFrom;
}

export interface NoMessage {
  readonly match: Expectation;
  readonly forMs: number;
  readonly from: WaitFrom;
}

/** The actions of a `ws` step; a step has exactly one. */
export const streamActionNames = [
  "connect",
  "subscribe",
  "unsubscribe",
  "send",
  "frames",
  "expect",
  "until",
  "collect",
  "none",
  "close",
  "closed",
] as const satisfies readonly StreamAction["kind"][];

export type StreamAction =
  | { readonly kind: "connect"; readonly connect: Connect }
  | { readonly kind: "subscribe"; readonly subscribe: Subscribe }
  | { readonly kind: "unsubscribe"; readonly unsubscribe: Unsubscribe }
  | { readonly kind: "send"; readonly send: Message }
  | { readonly kind: "frames"; readonly frames: Frames }
  | ({ readonly kind: "expect" } & ExpectMessage)
  | ({ readonly kind: "until" } & UntilMessage)
  | ({ readonly kind: "collect" } & CollectMessages)
  | ({ readonly kind: "none" } & NoMessage)
  | { readonly kind: "close"; readonly close: Close }
  | { readonly kind: "closed"; readonly closed: Closed };

/** The actions that send bytes. */
export const sends = ({ kind }: StreamAction): boolean =>
  kind === "connect" ||
  kind === "subscribe" ||
  kind === "unsubscribe" ||
  kind === "send" ||
  kind === "frames";

export interface ConcurrentStep extends StepTraits {
  readonly action: "concurrent";
  readonly release: "barrier" | "stagger" | "none";
  /** How often each branch runs. */
  readonly fanout: number;
  readonly branches: readonly (readonly Step[])[];
  readonly collect?: string;
}

export interface RepeatStep extends StepTraits {
  readonly action: "repeat";
  readonly times: number;
  /** The name of the round. */
  readonly as?: string;
  readonly steps: readonly Step[];
}

export interface GroupStep extends StepTraits {
  readonly action: "group";
  readonly steps: readonly Step[];
}

export interface UseStep extends StepTraits {
  readonly action: "use";
  readonly fragment: string;
  readonly with: ValueMap;
}

/** `{ left, is }` or `{ of }`; lint reports a step that is neither. */
export interface AssertStep extends StepTraits {
  readonly action: "assert";
  readonly left?: Expr;
  readonly is?: Matcher;
  readonly of?: string;
}

export interface CheckStep extends StepTraits {
  readonly action: "check";
  /** Undefined if the file names no complete law. */
  readonly law?: Law;
}

/** A law over collected lists; `of` names them. */
export type Law =
  | { readonly kind: "linearizable"; readonly of: readonly string[] }
  | { readonly kind: "unique"; readonly of: readonly string[]; readonly pointer: string }
  | { readonly kind: "multiset"; readonly of: readonly string[]; readonly is: Matcher }
  | { readonly kind: "numbered"; readonly of: readonly string[] }
  | { readonly kind: "book"; readonly of: readonly string[]; readonly equals: string }
  | {
      readonly kind: "prices";
      readonly of: readonly string[];
      readonly side: "bids" | "asks";
      readonly is: Matcher;
    };

export interface ClockStep extends StepTraits {
  readonly action: "clock";
  readonly clock: ClockMove;
}

export interface InjectStep extends StepTraits {
  readonly action: "inject";
  readonly fault: ValueMap;
}

export interface SleepStep extends StepTraits {
  readonly action: "sleep";
  readonly forMs: number;
}

export type Step =
  | CallStep
  | RawStep
  | StreamStep
  | PollStep
  | NeverStep
  | ConcurrentStep
  | RepeatStep
  | GroupStep
  | UseStep
  | AssertStep
  | CheckStep
  | ClockStep
  | InjectStep
  | SleepStep;

/** A named list of steps that scenarios share through `use`. */
export interface Fragment {
  readonly name: string;
  readonly vars: ValueMap;
  readonly steps: readonly Step[];
  /** Its steps run once per run, for the first case that uses it; the other cases reuse the results. */
  readonly shared: boolean;
}
export type Fragments = ReadonlyMap<string, Fragment>;

/** An expectation as plain JSON, for code that fills or prints it. */
// as: the types of the language are made of JSON alone.
export const asJson = (block: Expectation): ValueMap => block as unknown as ValueMap;

export const isSwitched = (block: Expectation): block is SwitchedExpectation => "$switch" in block;

/** The blocks beside `$switch`, by their keys. */
export function branchesOf({
  $switch: _,
  ...branches
}: SwitchedExpectation): ReadonlyMap<string, Expectation> {
  return new Map<string, Expectation>(Object.entries(branches));
}
