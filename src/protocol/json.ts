// Reads members of a stranger's JSON value without a schema, for what comes too often to judge it whole.

/** A JSON value of which nothing is known but that it may have members. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A list counts as an object without the members that anybody asks for. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The text, or an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The number, if it can be counted with. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The parsed text; undefined when it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
