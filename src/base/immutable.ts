// `Immutable`: a type whose members, at any depth, cannot be assigned.

/** For types inferred from schemas, which are mutable; an array becomes a `readonly` array. */
export type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T
