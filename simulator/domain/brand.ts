declare const brand: unique symbol;

/** A type that the compiler keeps apart from every other use of `T`. Costs nothing at run time. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
