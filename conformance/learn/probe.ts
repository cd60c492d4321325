import type { SafetyClass } from "../model/profile.ts";
import type { LearnDesk } from "./desk.ts";

/** A few requests that belong together. Its samples are named after it: `nonce: second use`. */
export interface Probe {
  readonly id: string;
  /** One line about what it sends, for the announcement. */
  readonly sends: string;
  /** The most that one round of it sends, orders included; clean-up and repeats after a busy answer are not. */
  readonly requests: number;
  /** Those of them that a gateway could take for an order: a body without any field is none. */
  readonly orders: number;
  readonly safety: SafetyClass;
  readonly run: (desk: LearnDesk) => Promise<void>;
}
