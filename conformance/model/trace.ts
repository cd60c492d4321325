/**
 * The traffic of one row in a form that may be shown: credentials hidden, bodies cut, only headers of a list. For a row
 * that passed, only the first group of values of each exchange is kept; for any other row the details, too.
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
  /** The text for the request on the wire, if that differs from the signed one because of tampering. */
  readonly wireText?: string;
  /** The text that the target expected, if it explains a refusal. */
  readonly targetText?: string;
  readonly replyHeaders?: readonly TracedHeader[];
  readonly replyBody?: TracedBody;
}

export type TracedHeader = readonly [name: string, value: string];

export interface TracedBody {
  readonly text: string;
  /** Size on the wire; a body that was cut has less text. */
  readonly bytes: number;
  readonly cut: boolean;
  /** True when the bytes are not UTF-8; the text is then base64. */
  readonly base64: boolean;
}

export interface RowTrace {
  readonly exchanges: readonly TracedExchange[];
  /** The number of exchanges that are not listed because the row or the run had too many. */
  readonly omitted: number;
}
