/**
 * What went over the wire in one row, as it may be shown: credentials hidden, bodies cut, headers of a list only.
 * A row that passed keeps the first group of values of each exchange; any other row keeps the details, too.
 */
export interface TracedExchange {
  readonly step: string;
  readonly role: string;
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  /** Milliseconds since the row began. */
  readonly startedMs: number;
  readonly durationMs: number;
  readonly transport: string;
  readonly status?: number;
  readonly problem?: string;
  /** The name of the group of requests that were released together. */
  readonly together?: string;
  readonly detail?: ExchangeDetail;
}

export interface ExchangeDetail {
  readonly requestHeaders: readonly TracedHeader[];
  readonly requestBody?: TracedBody;
  /** The text that the kit signed. */
  readonly signedText?: string;
  /** The text that belongs to the request on the wire, where that is another one: something was tampered with. */
  readonly wireText?: string;
  /** The text that the target says it expected, when it explains a refusal. */
  readonly targetText?: string;
  readonly replyHeaders?: readonly TracedHeader[];
  readonly replyBody?: TracedBody;
}

export type TracedHeader = readonly [name: string, value: string];

export interface TracedBody {
  readonly text: string;
  /** Size on the wire; the text is a part of it when it was cut. */
  readonly bytes: number;
  readonly cut: boolean;
  /** True when the bytes are not UTF-8; the text is then base64. */
  readonly base64: boolean;
}

export interface RowTrace {
  readonly exchanges: readonly TracedExchange[];
  /** Exchanges that are not listed because the row, or the run, had too many. */
  readonly omitted: number;
}
