/** Limits of the stream (docs/stream.md): the most that one client may cost. */
export interface StreamLimits {
  readonly connectionsPerKey: number;
  readonly messagesPerSecond: number;
  readonly messageBytes: number;
  readonly subscriptions: number;
  /** The queue of a client that reads slowly. */
  readonly queueBytes: number;
  readonly queueMessages: number;
  /** Real time. */
  readonly subscribeTimeoutMs: number;
  readonly pingEveryMs: number;
  readonly silenceMs: number;
}
