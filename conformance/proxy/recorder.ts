import { codingsOf, uncoded } from "../client/codings.ts";
import type { KeyNames } from "../recording/key-names.ts";
import {
  mostKept,
  type RecordedBytes,
  type RecordedExchange,
  type RecordedHeader,
  type RecordingEnd,
  recordedBytes,
} from "../recording/recording.ts";
import type { RecordingFile } from "../recording/recording-file.ts";
import { signatureSeen } from "../recording/verify-signature.ts";
import type { ReadFrame } from "./frame-reader.ts";

/** The beginning of a body while it passes. */
export class Kept {
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  #length = 0;
  #last: number | undefined;

  readonly look = (chunk: Buffer): void => {
    const part = chunk.subarray(0, Math.max(0, mostKept - this.#kept));
    if (part.length > 0) this.#chunks.push(Buffer.from(part));
    this.#kept += part.length;
    this.#length += chunk.length;
    this.#last = performance.now();
  };

  /** When the last bytes came. */
  get last(): number | undefined {
    return this.#last;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get length(): number {
    return this.#length;
  }
}

export interface SeenRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly RecordedHeader[];
}

export interface SeenAnswer {
  readonly status: number;
  readonly headers: readonly RecordedHeader[];
}

export interface SeenEnd {
  readonly answer?: SeenAnswer | undefined;
  readonly problem?: string | undefined;
}

/** An exchange that goes on. */
export interface OpenExchange {
  readonly request: Kept;
  readonly answer: Kept;
  /** The first call counts. */
  readonly end: (end: SeenEnd) => void;
  readonly frame: (from: "client" | "gateway", frame: ReadFrame) => void;
}

/** Turns what passes through the proxy into the lines of a recording. */
export class Recorder {
  readonly #file: RecordingFile;
  readonly #keys: KeyNames;
  readonly #begun = performance.now();
  #count = 0;

  constructor(file: RecordingFile, keys: KeyNames) {
    this.#file = file;
    this.#keys = keys;
  }

  begin({ method, target, headers }: SeenRequest): OpenExchange {
    const id = (this.#count += 1);
    const at = this.#now();
    const key = this.#keys.nameOf(headers);
    const [request, answer] = [new Kept(), new Kept()];
    let hasEnded = false;
    return {
      request,
      answer,
      end: (end) => {
        if (hasEnded) return;
        hasEnded = true;
        // The headers first: from then on the signature is known, and is found in bodies too.
        const shown = this.#keys.headers(headers, key);
        this.#file.append({
          kind: "exchange",
          id,
          at,
          durationMs: rounded(this.#whenOver(answer) - at),
          ...(key === undefined ? {} : { key }),
          request: {
            method,
            target: this.#keys.target(target),
            headers: shown,
            body: this.#keys.body(recordedBytes(request.bytes, request.length)),
          },
          ...this.#answerOf(end.answer, answer),
          ...this.#signatureOf({ method, target, headers }, key, request),
          ...(end.problem === undefined ? {} : { problem: this.#keys.text(end.problem) }),
        });
      },
      frame: (from, { type, body }) =>
        this.#file.append({
          kind: "frame",
          stream: id,
          at: this.#now(),
          from,
          type,
          body: this.#keys.body(body),
        }),
    };
  }

  end(): RecordingEnd {
    return this.#file.end(this.#now());
  }

  #answerOf(answer: SeenAnswer | undefined, kept: Kept): Pick<RecordedExchange, "answer"> {
    if (answer === undefined) return {};
    const { status } = answer;
    const headers = this.#keys.headers(answer.headers, undefined);
    return { answer: { status, headers, body: this.#keys.body(plainBody(answer, kept)) } };
  }

  #signatureOf(seen: SeenRequest, key: string | undefined, body: Kept): Pick<RecordedExchange, "signature"> {
    const secret = this.#keys.secretOf(key);
    const isWhole = body.bytes.length === body.length;
    const signature =
      secret === undefined
        ? undefined
        : signatureSeen({ ...seen, body: isWhole ? body.bytes : undefined }, secret);
    return signature === undefined ? {} : { signature };
  }

  /** The client cannot have seen the end before that; the connection may close much later. */
  #whenOver({ last }: Kept): number {
    return last === undefined ? this.#now() : rounded(last - this.#begun);
  }

  #now(): number {
    return rounded(performance.now() - this.#begun);
  }
}

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

/**
 * A compressed body is kept decompressed. One that its codings do not fit, or that are not known, has their names: its beginning, if that
 * can be read, or the bytes as they came.
 */
function plainBody({ headers }: SeenAnswer, { bytes, length }: Kept): RecordedBytes {
  const codings = codingsOf(headers);
  if (codings.length === 0 || length === 0) return recordedBytes(bytes, length);
  const plain = (isCut: boolean): Buffer | undefined => {
    try {
      return uncoded(bytes, codings, isCut);
    } catch {
      return undefined;
    }
  };
  const whole = plain(false);
  if (whole !== undefined) return recordedBytes(whole.subarray(0, mostKept), whole.length);
  const coding = codings.join(", ");
  const start = plain(true);
  if (start === undefined || start.length === 0) return { ...recordedBytes(bytes, length), coding };
  return { ...recordedBytes(start.subarray(0, mostKept), start.length + 1), length, coding };
}
