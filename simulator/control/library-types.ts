/**
 * The types of the controls as functions, inferred from their records: `clock advance` with the path `/clock` and the body
 * `{ advanceMs }` is `clock.advance({ ms })`. The names are those of `namesOf` and `nameOf` (library.ts), the values those of
 * `verbsOf` (verb.ts).
 */
import type { QueryFields, QueryValues } from "../wire/query-fields.ts";
import type { Verb } from "./verb-types.ts";

/** The body of a control without one. */
export type Nothing = Readonly<Record<never, never>>;

/** Path, verbs, body, query and answer of a control, for the compiler alone. */
export interface Typed<P extends string, V extends readonly Verb[], B, Q extends QueryFields, A> {
  readonly types?: {
    readonly path: P;
    readonly verbs: V;
    readonly body: B;
    readonly query: Q;
    readonly answer: A;
  };
}

/** The controls of a sandbox: by noun, then by verb. */
export type Library<R> = {
  readonly [N in Entry<R>["noun"]]: {
    readonly [E in Extract<Entry<R>, { readonly noun: N }> as E["action"]]: E["call"];
  };
};

interface Named<N extends string, A extends string, C> {
  readonly noun: N;
  readonly action: A;
  readonly call: C;
}

/** One for each verb of each control. */
type Entry<R> =
  R extends Typed<infer P, infer V, infer B, infer Q, infer A>
    ? V[number] extends infer W
      ? W extends Verb
        ? Named<
            Noun<W["words"]>,
            Action<W["words"]>,
            Call<Values<P, W, keyof B extends never ? Partial<QueryValues<Q>> : B>, Lean<A>>
          >
        : never
      : never
    : never;

/** An answer with members of a body: one that was left out is missing there, and never null. */
type Lean<T> = T extends readonly (infer I)[]
  ? readonly Lean<I>[]
  : T extends object
    ? { readonly [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? Exclude<T[K], null> : Lean<T[K]> }
    : T;

type Call<V, A> = keyof V extends never
  ? () => Promise<A>
  : Nothing extends V
    ? (values?: V) => Promise<A>
    : (values: V) => Promise<A>;

/** Parameters of the path, arguments and flags, by their names in the library. */
type Values<P extends string, W extends Verb, B> = Flat<
  { readonly [K in Param<P>]: string } & (W extends { readonly file: true }
    ? B
    : { readonly [K in Args<W> as NameIn<K, W["words"]>]: Member<B, K> } & {
        readonly [K in keyof B as K extends Flags<W, B> ? NameIn<K, W["words"]> : never]: Exclude<B[K], null>;
      })
>;

type Flat<T> = { readonly [K in keyof T]: T[K] };
type Args<W extends Verb> = W extends { readonly args: readonly (infer K extends string)[] } ? K : never;
type Fixed<W extends Verb> = W extends { readonly fixed: infer F } ? keyof F : never;
type Flags<W extends Verb, B> = Exclude<
  W extends { readonly flags: readonly (infer K)[] } ? Extract<keyof B, K> : keyof B,
  Args<W> | Fixed<W>
>;

type Param<P extends string> = P extends `${string}{${infer N}}${infer R}` ? N | Param<R> : never;

/** `until.order` is the member `order` of the member `until`. */
type Member<B, K extends string> = K extends `${infer M}.${infer R}`
  ? Member<NonNullable<B[M & keyof B]>, R>
  : NonNullable<B[K & keyof B]>;

type Noun<W extends string> = W extends `${infer N} ${string}` ? Camel<N> : Camel<W>;
type Action<W extends string> = W extends `${string} ${infer A}` ? Camel<A> : "read";
type Camel<S extends string> = S extends `${infer H}-${infer T}` ? `${H}${Capitalize<Camel<T>>}` : S;

type NameIn<K, W extends string> = K extends `${string}.${infer R}`
  ? R
  : W extends `${string} ${infer A}`
    ? K extends `${A}${infer R}`
      ? Shortened<K, R>
      : K
    : K;
/** A word ends here: `confirmations` is not `confirm` and something else. */
type Shortened<K, R extends string> = R extends "" | Uncapitalize<R> ? K : Uncapitalize<R>;
