// `readProblem`: reads an error body of any known shape.
import * as z from 'zod/mini'

const word = z.catch(z.nullish(z.union([z.string(), z.number()])), undefined)

const inner = z.object({ message: word, type: word, code: word, error: z.optional(z.unknown()) })

/** How deep a wrapped error is read, so that a hostile body cannot exhaust the stack. */
const MAX_DEPTH = 4

const outer = z.object({
  error: z.optional(z.unknown()),
  error_description: word,
  message: word,
  detail: z.optional(z.unknown()),
  type: word,
  code: word,
  status_code: word,
})

/** The content of an error body, whatever its shape. The texts are untrusted: escape them before they are shown. */
export interface Problem {
  /** The machine-readable code: OAuth's `error`, or the `code` or `type` of an inference error. */
  readonly code?: string
  /** A `type` outside the error object, such as Bifrost's `model_blocked`. */
  readonly type?: string
  readonly text?: string
}

/**
 * Reads `{error, error_description}`, `{error, message}`, `{error: {code, message}}`, `{error: {error: {...}}}`,
 * `{message}`, `{detail}` and a bare string. Never throws; an unknown shape is an empty problem.
 */
export function readProblem(body: unknown): Problem {
  return readWrapped(body, 0)
}

function readWrapped(body: unknown, depth: number): Problem {
  if (typeof body === 'string') return body.trim() ? { text: body.trim() } : {}
  const parsed = outer.safeParse(body)
  if (!parsed.success) return {}
  const { error, error_description, message, detail, type, code } = parsed.data
  const outerWords = compact(code ?? undefined, type ?? undefined, error_description ?? message ?? detailText(detail))
  if (typeof error === 'string') {
    const isCode = /^[\w.:-]{1,80}$/.test(error)
    return isCode ? { ...outerWords, code: error } : { ...outerWords, text: error }
  }
  const nested = inner.safeParse(error)
  if (!nested.success) return looksLikeCode(outerWords)
  const deeper = nested.data.error
  if (typeof deeper === 'object' && deeper !== null && nested.data.message == null && depth < MAX_DEPTH) {
    return { ...outerWords, ...readWrapped(nested.data, depth + 1) }
  }
  const { code: innerCode, type: innerType } = nested.data
  const innerMessage = nested.data.message ?? (typeof deeper === 'string' ? deeper : undefined)
  return {
    ...outerWords,
    ...compact(innerCode ?? innerType ?? undefined, type ?? innerType ?? undefined, innerMessage ?? undefined),
  }
}

/** `{message: "authorization_pending"}`: the text member contains the code. */
function looksLikeCode(problem: Problem): Problem {
  const { text, code } = problem
  return code === undefined && text !== undefined && /^[a-z]+(_[a-z]+)+$/.test(text)
    ? { ...problem, code: text }
    : problem
}

function detailText(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return undefined
  const texts = detail.map((entry: { msg?: unknown }) => entry?.msg).filter(text => typeof text === 'string')
  return texts.length > 0 ? texts.join('; ') : undefined
}

function compact(
  code: string | number | undefined,
  type: string | number | undefined,
  text: string | number | undefined,
) {
  return {
    ...(code !== undefined && { code: String(code) }),
    ...(type !== undefined && { type: String(type) }),
    ...(text !== undefined && { text: String(text) }),
  }
}
