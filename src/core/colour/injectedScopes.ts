// `injectedScopes`: the grammars that are injected into another grammar.

/** The scopes of the grammars that are injected, by the scope that they are injected into. */
export type InjectionTable = Readonly<Record<string, readonly string[]>>

/** What is injected into `source` is injected into `source.ts` as well. */
export function injectedScopes(table: InjectionTable, scope: string): string[] {
  const parts = scope.split('.')
  return parts.flatMap((_, at) => {
    const prefix = parts.slice(0, at + 1).join('.')
    return Object.hasOwn(table, prefix) ? (table[prefix] ?? []) : []
  })
}
