import type { Caller } from "../auth/keyring.ts";
import type { Committing } from "./commit-order.ts";
import type { Connection } from "./connection.ts";
import type { FaultFor } from "./fault-injector.ts";
import type { Body } from "./frame.ts";
import type { SubscribeRequest } from "./read-message.ts";
import type { StreamLimits } from "./settings.ts";
import type { Grant, Subscription } from "./subscriptions.ts";

/** The interface of the hub for its connections. */
export interface ConnectionHub extends Committing {
  readonly limits: StreamLimits;
  /** Real time in milliseconds, as coarse as the hub's own timer. */
  readonly now: number;
  /** The venue's clock. */
  readonly marketNow: number;
  /** Asks for a flush before the next turn ends. */
  wake(connection: Connection): void;
  forget(connection: Connection): void;
  /** The subscriptions that a request names. */
  grant(request: SubscribeRequest, caller: Caller): ReturnType<Grant>;
  /** From now on the connection hears the topic; returns the messages of the snapshot, dated `now`. */
  join(connection: Connection, subscription: Subscription, now: number): readonly string[];
  leave(connection: Connection, subscription: Subscription): void;
  readonly faultFor: FaultFor;
  /** The message as it leaves, from the text behind its number. */
  outgoing(text: string): readonly Body[];
  /** Hears of a mistake of ours that ended a connection. */
  failed(error: unknown): void;
}
