/**
 * The shape in which the catalogue of near misses is written down: one row per mistake, one remedy per
 * table.
 */

/** A request whose signature did not verify, and the secret it should have been signed with. */
export interface RefusedRequest {
  readonly keyId: string;
  readonly secret: string;
  readonly method: string;
  /** As received, with its query. */
  readonly target: string;
  readonly host: string | undefined;
  readonly timestamp: string;
  readonly nonce: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly signature: string;
  readonly signedPath: "path" | "path-and-query" | "either";
}

/** How a client may have come to its signature. */
export interface Recipe {
  /** Timestamp, nonce, method, path, content type, body hash; a mistake may leave out or add lines. */
  readonly lines: readonly string[];
  readonly join: (lines: readonly string[]) => string;
  readonly secret: Uint8Array;
  readonly digest: (secret: Uint8Array, text: string) => Uint8Array;
  readonly write: (digest: Uint8Array) => string;
}

export interface Mistake {
  readonly name: string;
  /** Completes "The signature matches if …". */
  readonly says: string;
  /** What to do instead, as a sentence. */
  readonly remedy: string;
  /** Frequent enough to be tried in pairs. */
  readonly common: boolean;
  /** Null when the mistake cannot be made on this request. */
  readonly make: (recipe: Recipe, request: RefusedRequest) => Recipe | null;
}

export type Change = (recipe: Recipe, request: RefusedRequest) => Partial<Recipe> | null;

/** Name, what the client did (completes "The signature matches if …"), how that changes the recipe. */
export type Row = readonly [name: string, says: string, change: Change, common?: "common"];

export const table = (remedy: string, rows: readonly Row[]): readonly Mistake[] =>
  rows.map(([name, says, change, common]) => ({
    name,
    says,
    remedy,
    common: common !== undefined,
    make: (recipe, request) => {
      const changed = change(recipe, request);
      return changed === null ? null : { ...recipe, ...changed };
    },
  }));

/** Position of each of the six lines in a recipe. */
export const lineAt = { timestamp: 0, nonce: 1, method: 2, path: 3, contentType: 4, bodyHash: 5 } as const;

/** The mistake is in one line: null, or the line as it was, means that it cannot be made on this request. */
export const inLine =
  (name: keyof typeof lineAt, change: (value: string, request: RefusedRequest) => string | null): Change =>
  ({ lines }, request) => {
    const index = lineAt[name];
    const before = lines[index] ?? "";
    const after = change(before, request);
    return after === null || after === before ? null : { lines: lines.with(index, after) };
  };
