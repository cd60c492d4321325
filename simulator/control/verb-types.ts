/** The verbs of `gatewright ctl`, for a command line and for the library. They name nothing else of the simulator, because the package has them. */

/** The words of `gatewright ctl` for a control. */
export interface Verb {
  /** `clock advance`. */
  readonly words: string;
  /** Where one control has several verbs, what this one does. */
  readonly does?: string;
  /** Members of the body that come after the words, behind the parameters of the path; `until.order` is one of `until`. */
  readonly args?: readonly string[];
  /** Members of the body that flags can give; without it, all that are left. */
  readonly flags?: readonly string[];
  /** Members of the body that the words imply. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** The last argument is a file with the body as JSON. */
  readonly file?: true;
  /** Its two arguments are written as one: `F-self-trade=none`. */
  readonly joined?: true;
}

/** A verb with what a command line has to know of it. */
export interface ControlVerb {
  readonly words: string;
  /** `deposit create CLIENT ASSET AMOUNT [--network VALUE]`. */
  readonly usage: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly args: readonly ControlValue[];
  readonly flags: readonly ControlValue[];
  readonly file: boolean;
  /** The two arguments are written as one, with an equals sign between. */
  readonly joined: boolean;
  /** It is about worlds as a whole, and not a control of one. */
  readonly ofWorlds: boolean;
  /** The mistake in values as texts that the control could not name as they are typed. */
  readonly mistakeIn: (texts: Readonly<Record<string, string>>) => string | undefined;
  /** The request of values as texts, as they stand on a command line. */
  readonly call: (texts: Readonly<Record<string, string>>) => ControlCall;
  /** The request of values as JSON has them. */
  readonly request: (values: Values) => ControlCall;
}

export type Values = Readonly<Record<string, unknown>>;

/** Path below the control surface, and body. */
export interface ControlCall {
  readonly path: string;
  readonly body?: Values;
}

export interface ControlValue {
  /** A parameter of the path, or a member of the body: `until.order` is a member of `until`. */
  readonly name: string;
  /** As help texts name it: `duration`, `min-order-size`. */
  readonly shown: string;
  readonly description: string;
  readonly required: boolean;
  /** Typed with its unit: `90s`, `1h30m`, `1d`. */
  readonly isDuration: boolean;
}
