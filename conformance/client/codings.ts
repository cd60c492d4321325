import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { maxBytes } from "../check/lossless-json.ts";

interface Limits {
  readonly maxOutputLength: number;
  readonly finishFlush?: number;
}

type Undo = (bytes: Uint8Array, limits: Limits) => Buffer;

/** Servers send `deflate` with the head of zlib, as they should, or without it, and clients read both. */
const inflateEither: Undo = (bytes, limits) => {
  const [first = 0, second = 0] = bytes;
  const hasHead = first % 16 === 8 && (first * 256 + second) % 31 === 0;
  return hasHead ? inflateSync(bytes, limits) : inflateRawSync(bytes, limits);
};

const undo: Readonly<Record<string, Undo>> = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateEither,
  br: brotliDecompressSync,
  identity: (bytes) => Buffer.from(bytes),
};

/** The content codings of a body, in the order in which they were applied. */
export const codingsOf = (headers: readonly (readonly [string, string])[]): string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");

/** Whether these bytes can be decoded, if they are what they should be. */
export const isKnownCoding = (coding: string): boolean => Object.hasOwn(undo, coding);

/**
 * The bytes before they were coded. Throws the error of zlib if they are not what the codings say, or more than a body may have. `isCut`: their
 * end may be missing, and what is there is decoded.
 */
export function uncoded(bytes: Uint8Array, codings: readonly string[], isCut = false): Buffer {
  const finish = (coding: string): Partial<Limits> => {
    if (!isCut) return {};
    return { finishFlush: coding === "br" ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH };
  };
  return codings.reduceRight<Buffer>((coded, coding) => {
    const work = undo[coding];
    if (work === undefined) throw new Error(`the coding ${coding} is not known`);
    return work(coded, { maxOutputLength: maxBytes, ...finish(coding) });
  }, Buffer.from(bytes));
}
