import { counted } from "../model/counted.ts";
import { withoutHidden } from "./hidden.ts";
import { KeyNames } from "./key-names.ts";
import type { Recording } from "./read-recording.ts";
import type { RecordedBytes, RecordedExchange, RecordedHeader } from "./recording.ts";

/** An exchange in a file of another program. */
export interface ImportedExchange {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly durationMs: number;
  readonly method: string;
  /** Path and query, or a whole URL. */
  readonly target: string;
  readonly headers: readonly RecordedHeader[];
  readonly body: RecordedBytes;
  readonly answer?: NonNullable<RecordedExchange["answer"]>;
  /** The name of the key, where the file has names in place of key ids. */
  readonly key?: string;
  /** It was answered, and the file does not show how. */
  readonly isUnseen?: true;
}

/** A sandbox keeps the kit's own requests, too. They are left out, unless all are: those are what somebody asked for. */
export function withoutOwn<One>(
  requests: readonly One[],
  isOwn: (request: One) => boolean,
): { readonly chosen: readonly One[]; readonly remarks: readonly string[] } {
  const others = requests.filter((request) => !isOwn(request));
  const own = requests.length - others.length;
  if (own === 0 || others.length === 0) return { chosen: requests, remarks: [] };
  const remark = `${counted(own, "request")} of gatewright itself (conform, shrink, probe): left out`;
  return { chosen: others, remarks: [remark] };
}

export interface ImportedFrom {
  /** People take values out of such files before they send them. */
  readonly mayHide?: boolean;
}

/**
 * The recording that such a file amounts to. Times of other programs are rough, so only what clearly overlaps counts as
 * simultaneous, and they look at requests from the side of the client, where a proxy may still sign them.
 */
export function importedRecording(
  found: readonly ImportedExchange[],
  remarks: readonly string[],
  { mayHide = false }: ImportedFrom = {},
): Recording {
  const keys = new KeyNames([]);
  const startedAt = found.reduce((least, { time }) => Math.min(least, time), found[0]?.time ?? 0);
  const exchanges = found.flatMap((one, index): RecordedExchange[] => {
    const target = originForm(one.target);
    if (target === undefined || !methods.test(one.method)) return [];
    const shown = mayHide ? withoutHidden(one.headers) : one.headers;
    const key = one.key ?? keys.nameOf(shown);
    const headers = one.key === undefined ? keys.headers(shown, key) : shown;
    return [
      {
        kind: "exchange",
        id: index + 1,
        at: one.time - startedAt,
        durationMs: one.durationMs,
        ...(key === undefined ? {} : { key }),
        request: { method: one.method, target: keys.target(target), headers, body: keys.body(one.body) },
        ...(one.answer === undefined ? {} : { answer: { ...one.answer, body: keys.body(one.answer.body) } }),
        ...(one.isUnseen === undefined ? {} : { isUnseen: one.isUnseen }),
      },
    ];
  });
  const odd = found.length - exchanges.length;
  return {
    startedAt,
    exchanges: exchanges.toSorted((a, b) => a.at - b.at || a.id - b.id),
    frames: [],
    lateMs: 2,
    isOfClient: true,
    mayHide,
    remarks:
      odd === 0
        ? remarks
        : [
            ...remarks,
            `${counted(odd, "entry", "entries")} had no path or method that can be sent: left out`,
          ],
  };
}

const methods = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}$/;

function originForm(target: string): string | undefined {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, "").replace(/#.*$/s, "");
  return /^\/[!-~]*$/.test(path) ? path : undefined;
}
