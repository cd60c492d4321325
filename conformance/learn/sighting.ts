import type { Exchange } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";

/** An answer to one request of a probe, and what the readers need besides. */
export interface Sample {
  readonly exchange: Exchange;
  /** The order that this request was about, if the answer shows it. */
  readonly order?: JsonObject;
  /** A boundary in milliseconds that lies between the two: seen on one side at `low`, on the other at `high`. */
  readonly between?: Between;
  /** Further numbers or words of the probe, for the reader and the evidence. */
  readonly note?: string;
}

export interface Between {
  readonly low: number;
  readonly high: number;
}

/** The answers of one round of all probes, by the names of its requests: `nonce: second use`. */
export interface Round {
  readonly samples: ReadonlyMap<string, Sample>;
  /** Why a probe did not end, by its id. */
  readonly missing: ReadonlyMap<string, string>;
}

/** The conclusion of a reader from one round: an option of the register, or why none can be told. */
export type Told =
  | { readonly option: string; readonly evidence: string }
  | { readonly untold: string; readonly evidence: string };

/** Knows one freedom, and reads it in the samples of a round. */
export interface Reader {
  readonly freedom: string;
  readonly read: (round: Round) => readonly Told[];
}

/** The result for one freedom. */
export interface Learned {
  readonly freedom: string;
  /** An option of the register, or a number where its setting takes numbers; `unknown` is never a guess. */
  readonly option: string;
  /** Only with `unknown`. */
  readonly reason?: string;
  readonly evidence: readonly string[];
  /** How many samples showed the option. */
  readonly samples: number;
  /** `high`: two samples or more agree, and none disagrees. */
  readonly confidence: "high" | "low" | "none";
}
