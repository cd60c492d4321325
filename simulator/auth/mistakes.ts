/** fixtures/signing/mistakes.yaml, read when it is first asked for. The head of the file explains each key. */
import { fixture } from "../fixture.ts";

/** One word of a change: a name alone, or a name with its argument. */
export type Word = string | Readonly<Record<string, unknown>>;
export type Change = Word | readonly Word[];

export const lineNames = ["timestamp", "nonce", "method", "path", "contentType", "bodyHash"] as const;
export type LineName = (typeof lineNames)[number];
export type Changed = LineName | "body" | "text" | "key" | "signature";

export interface Edit extends Readonly<Partial<Record<Changed, Change>>> {
  readonly bodyDigest?: string;
  readonly order?: readonly (LineName | "keyId" | "body")[];
  readonly joiner?: string;
  readonly digest?: string;
}

/** `body`, `noBody`, `query` or a method. */
export type When = string;

export interface Mistake {
  readonly id: string;
  /** Completes "The signature matches if …". */
  readonly title: string;
  readonly when?: When;
  readonly edit: Edit;
  readonly common?: true;
  readonly sent?: true;
  /** The remedy, as a sentence. */
  readonly remedy: string;
}

/** A bug of a gateway that consists of mistakes. */
export interface MistakenDefect {
  readonly id: string;
  readonly title: string;
  readonly only?: readonly string[];
  readonly also?: readonly string[];
  readonly when?: When;
  readonly breaks: readonly string[];
  readonly level?: "recommended" | "informational";
}

export interface KnownMistakes {
  readonly mistakes: readonly Mistake[];
  readonly defects: readonly MistakenDefect[];
}

interface MistakeFile {
  readonly groups: readonly {
    readonly remedy: string;
    readonly mistakes: readonly Omit<Mistake, "remedy">[];
  }[];
  readonly defects: readonly MistakenDefect[];
}

let known: KnownMistakes | undefined;

export function knownMistakes(): KnownMistakes {
  known ??= read();
  return known;
}

/** A request that verifies needs none of this. */
function read(): KnownMistakes {
  // as: the file is ours, and the tests of its three readers use every entry of it.
  const { groups, defects } = fixture("signing", "mistakes.yaml") as MistakeFile;
  const mistakes = groups.flatMap(({ remedy, mistakes: rows }) => rows.map((row) => ({ ...row, remedy })));
  return { mistakes, defects };
}
