import type { JsonObject } from "./json.ts";
import type { Value, ValueMap } from "./value.ts";

/** What the profile says of the stream. The specification shows no address, no names and no shapes: what is missing is unknown. */
export interface StreamPlan {
  readonly url?: URL;
  /** How many connections the kit has open at a time. */
  readonly connections: number;
  /** Where another path is signed than that of the address. */
  readonly signedPath?: string;
  readonly message: MessagePlan;
  readonly subscribe?: ValueMap;
  readonly unsubscribe?: ValueMap;
  /** A matcher for the message that confirms a subscription; `none` when nothing does. */
  readonly ack?: Value;
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
  /** Where a frame holds a list of messages. */
  readonly batch?: string;
}

export interface StreamChannel {
  /** The target's name. */
  readonly name: string;
  readonly claim?: string;
  /** Comes without being asked for. */
  readonly automatic: boolean;
}

export interface StreamEventRule {
  readonly when: Value;
  /** Only what has changed is in the record. */
  readonly partial: boolean;
  /** Canonical field to pointer. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What a connection showed: one message, or how it began or ended. `event` speaks in the kit's names. */
export interface StreamShown {
  readonly connection: string;
  readonly event: JsonObject;
  readonly body: Uint8Array;
}
