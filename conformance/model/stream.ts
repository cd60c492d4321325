import type { JsonObject } from "./json.ts";
import type { Value, ValueMap } from "./value.ts";

/**
 * The profile's description of the stream. The specification gives no address, no names and no shapes, so missing parts
 * are unknown.
 */
export interface StreamPlan {
  readonly url?: URL;
  /** The most connections that the kit may have open at a time. */
  readonly connections: number;
  /** The signed path, if it differs from the path of the address. */
  readonly signedPath?: string;
  readonly message: MessagePlan;
  readonly subscribe?: ValueMap;
  readonly unsubscribe?: ValueMap;
  /** A matcher for the message that confirms a subscription; `none` if the target confirms nothing. */
  readonly ack?: Value;
  /** The same for the message that confirms that a channel was left. */
  readonly unsubscribed?: Value;
  readonly channels: Readonly<Record<string, StreamChannel | "absent">>;
  readonly events: Readonly<Record<string, StreamEventRule>>;
}

/** JSON pointers into one message. */
export interface MessagePlan {
  readonly type?: string;
  readonly channel?: string;
  readonly product?: string;
  /** `none`: the owner says that messages are not numbered. */
  readonly sequence?: string;
  readonly sequenceScope: "connection" | "channel";
  /** The pointer to a list of messages in a frame. */
  readonly batch?: string;
}

export interface StreamChannel {
  /** The target's name. */
  readonly name: string;
  readonly claim?: string;
  /** The target sends it without a subscription. */
  readonly automatic: boolean;
}

export interface StreamEventRule {
  readonly when: Value;
  /** The record contains only the changed fields. */
  readonly partial: boolean;
  /** Canonical field to pointer. */
  readonly fields: Readonly<Record<string, string>>;
}

/** An observation on a connection: one message, or its beginning or end. `event` uses the kit's names. */
export interface StreamShown {
  readonly connection: string;
  readonly event: JsonObject;
  readonly body: Uint8Array;
}
