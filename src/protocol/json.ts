// Reads members of an untrusted JSON value without a schema, where checking each value as a whole would cost too much.

/** A JSON value that may have members. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The value as an object; an array counts as one without the members that are read. */
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

/** The number, if it is finite. */
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
