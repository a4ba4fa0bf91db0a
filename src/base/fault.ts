// Reads the messages, causes and code of a thrown value; and `never`, which checks that a switch is exhaustive.

/** The message of a thrown value and those of its causes, as one text for a log. */
export function faultText(thrown: unknown): string {
  const parts: string[] = []
  let at: unknown = thrown
  while (at !== undefined && at !== null && parts.length < 8) {
    parts.push(at instanceof Error ? `${at.name}: ${at.message}` : plainText(at))
    at = at instanceof Error ? at.cause : undefined
  }
  return parts.join(' <- ')
}

/** `String` throws for some values, such as an object without a prototype. */
function plainText(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return typeof thrown
  }
}

/** The `code` of a fault or of the nearest cause that has one, such as `ECONNREFUSED`. */
export function faultCode(thrown: unknown): string | undefined {
  for (let at = thrown, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
    if (at instanceof AggregateError) {
      const code = at.errors.map(faultCode).find(found => found !== undefined)
      if (code) return code
    }
  }
  return undefined
}

/** For the `default` of an exhaustive switch: the compiler rejects the call if a case is missing. */
export function never(value: never): never {
  throw new Error(`Unexpected: ${JSON.stringify(value)}`)
}
