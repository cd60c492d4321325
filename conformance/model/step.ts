/**
 * The steps of a scenario, as the reader (`parse/step.ts`) makes them: lint, effort, plan, run, judge and replay go by this tree. How a
 * file writes it is in `language.ts`.
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

/** The things a step can do; a step does exactly one. */
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

/** How hard an assertion is: a failure of the case, a warning, a note. */
export const strengths = ["expect", "should", "observe"] as const;
export type Strength = (typeof strengths)[number];

/** What every step has, whatever it does. */
interface StepTraits {
  readonly id?: string;
  readonly rows: readonly ValueMap[];
  readonly note?: string;
  readonly when?: Condition;
  readonly spec: readonly string[];
  /** `block`: what comes after stands on it, and without it the case has nothing to say. */
  readonly onFail: "stop" | "continue" | "block";
  readonly timeoutMs?: number;
  readonly assertions: Readonly<Partial<Record<Strength, Expectation>>>;
  readonly capture: ValueMap;
  /** Where it stands in the file, for messages of the run; and for lint, which points at what is inside. */
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

/** Asks until the condition holds. */
export interface PollStep extends StepTraits {
  readonly action: "poll";
  readonly call: Call;
  readonly until: Expectation;
  readonly everyMs: number;
  readonly withinMs: number;
  /** So many replies in a row. */
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
  /** The connection. */
  readonly on: string;
  readonly does: StreamAction;
}

/** Where a wait begins to look: at the beginning of the connection, at what is still to come, or behind the last message found. */
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

/** What a `ws` step can do; it does one of them. */
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

/** Those that put bytes on the wire. */
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

/** `{ left, is }` or `{ of }`; lint says when it is neither. */
export interface AssertStep extends StepTraits {
  readonly action: "assert";
  readonly left?: Expr;
  readonly is?: Matcher;
  readonly of?: string;
}

export interface CheckStep extends StepTraits {
  readonly action: "check";
  /** Undefined where the file names none that is complete. */
  readonly law?: Law;
}

/** What has to hold over collected lists; `of` names them. */
export type Law =
  | { readonly kind: "linearizable"; readonly of: readonly string[] }
  | { readonly kind: "unique"; readonly of: readonly string[]; readonly pointer: string }
  | { readonly kind: "multiset"; readonly of: readonly string[]; readonly is: Matcher }
  | { readonly kind: "numbered"; readonly of: readonly string[] }
  | { readonly kind: "book"; readonly of: readonly string[]; readonly equals: string };

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
  /** Its steps run once per run, for the first case that uses it; the others get what they left behind. */
  readonly shared: boolean;
}
export type Fragments = ReadonlyMap<string, Fragment>;

/** An expectation as the JSON that it is, for those who fill and print it. */
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
