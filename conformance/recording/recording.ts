/**
 * A recording: what a client and a gateway said to each other, as lines of JSON (docs/bug-reports.md).
 *
 * **Invariant.** Nothing secret is in it: a key id is the name of its key, a signature its digest.
 */

export const recordingVersion = 1;

/** The first line. */
export interface RecordingHeader {
  readonly kind: "recording";
  readonly version: typeof recordingVersion;
  /** Base address of the gateway. */
  readonly target: string;
  readonly started: string;
}

/** A request and what came back; for a WebSocket its handshake. */
export interface RecordedExchange {
  readonly kind: "exchange";
  /** Counts from one, in the order of arrival; a line is written when its exchange has ended. */
  readonly id: number;
  /** Milliseconds since the recording began. */
  readonly at: number;
  readonly durationMs: number;
  /** Name of the key; left out for a request without one. */
  readonly key?: string;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: readonly RecordedHeader[];
    readonly body: RecordedBytes;
  };
  /** Left out when none came. */
  readonly answer?: {
    readonly status: number;
    readonly headers: readonly RecordedHeader[];
    readonly body: RecordedBytes;
  };
  /** It was answered, and nobody has seen how: only in files of other programs. */
  readonly isUnseen?: true;
  /** Whether its signature was that of its key; left out where nobody has told the secret. */
  readonly signature?: SignatureSeen;
  /** The reason for its end, when no whole answer reached the client. */
  readonly problem?: string;
}

export type SignatureSeen = "right" | "wrong";

/** A message of a WebSocket; messages that come in fragments are put together. */
export interface RecordedFrame {
  readonly kind: "frame";
  /** The exchange of its handshake. */
  readonly stream: number;
  readonly at: number;
  readonly from: "client" | "gateway";
  readonly type: "text" | "binary" | "ping" | "pong" | "close";
  readonly body: RecordedBytes;
}

/** The last line, unless the recorder was killed. */
export interface RecordingEnd {
  readonly kind: "end";
  readonly at: number;
  readonly exchanges: number;
  readonly frames: number;
  /** Exchanges and frames for which there was no room any more. */
  readonly leftOut: number;
}

export type RecordingLine = RecordingHeader | RecordedExchange | RecordedFrame | RecordingEnd;

export type RecordedHeader = readonly [name: string, value: string];

/** The value of the first header of a name in lower case. */
export const valueOf = (headers: readonly RecordedHeader[], wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** The first of the bytes of a body: as text, or in base64 where they are none. */
export interface RecordedBytes {
  /** Of the whole body. */
  readonly length: number;
  readonly text?: string;
  readonly base64?: string;
  /** Whether the rest was left out. */
  readonly cut?: true;
  /** Its content codings, where the bytes are as they came because these could not be undone. */
  readonly coding?: string;
}

/** So much of a body is kept. */
export const mostKept = 65_536;

const replacement = "\u{fffd}";

/** `length`: of the whole body, of which `kept` is the beginning. */
export function recordedBytes(kept: Buffer, length = kept.length): RecordedBytes {
  if (length === 0) return { length };
  const whole = kept.length === length;
  const text = kept.toString("utf8");
  // A text that was cut may end within a character.
  const shown = whole ? text : text.replace(/\ufffd$/, "");
  const more = whole ? {} : ({ cut: true } as const);
  return shown.includes(replacement)
    ? { length, base64: kept.toString("base64"), ...more }
    : { length, text: shown, ...more };
}
