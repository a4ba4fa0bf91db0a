// Holds a request against its schema and reports in one sentence where it does not fit.
import type * as z from 'zod'
import { isString } from '../json.ts'

/** What does not fit, and where: `messages[0].content`; empty for the body itself. */
export interface Misfit {
  readonly where: string
  readonly sentence: string
}

export type Judged<T> = { readonly value: T } | { readonly misfit: Misfit }

export function judgeRequest<T>(schema: z.ZodType<T>, json: unknown): Judged<T> {
  const read = schema.safeParse(json, { error: issue => wordsFor(issue as Issue) })
  if (read.success) return { value: read.data }
  const { path, message } = deepest(read.error.issues as readonly Issue[])
  const where = path.reduce<string>(joined, '')
  return { misfit: { where, sentence: `${where === '' ? 'The body' : `'${where}'`} ${message}.` } }
}

/** The members of zod's issues that we read; which of them there are hangs on the code. */
interface Issue {
  readonly code: string
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly input?: unknown
  readonly expected?: string
  readonly origin?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly values?: readonly unknown[]
  readonly options?: readonly unknown[]
  readonly errors?: readonly (readonly Issue[])[]
}

const joined = (path: string, part: PropertyKey): string => {
  if (typeof part === 'number') return `${path}[${part}]`
  return path === '' ? String(part) : `${path}.${String(part)}`
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a JSON object',
  record: 'a JSON object',
}

function wordsFor({ code, input, expected = '', origin, minimum, maximum, values, options }: Issue): string {
  if (input === undefined) return 'is required'
  if (code === 'invalid_type') return `must be ${kinds[expected] ?? expected}`
  if (code === 'invalid_value') return `must be ${choiceOf(values ?? [])}`
  if (code === 'invalid_union') return options ? `must be ${choiceOf(options)}` : 'has no form that is known here'
  const isNumber = origin === 'number' || origin === 'int'
  if (code === 'too_small') return isNumber ? `must be ${minimum} or more` : 'must not be empty'
  if (code === 'too_big') return isNumber ? `must be ${maximum} or less` : `must have ${maximum} entries at most`
  return 'is not well formed'
}

const choiceOf = (values: readonly unknown[]) =>
  values.length === 1 ? written(values[0]) : `one of ${values.map(written).join(', ')}`

const written = (value: unknown) => (isString(value) ? `'${value}'` : String(value))

/** Of the forms that a value may have, the one that fits furthest is the one that was meant. */
function deepest(issues: readonly Issue[]): { path: readonly PropertyKey[]; message: string } {
  const [issue] = issues
  if (!issue) return { path: [], message: 'is not well formed' }
  const branches = (issue.errors ?? []).map(deepest)
  const furthest = branches.toSorted((a, b) => b.path.length - a.path.length)[0]
  if (!furthest || issue.message === 'is required') return issue
  if (furthest.path.length > 0) return { path: [...issue.path, ...furthest.path], message: furthest.message }
  const [first = '', ...others] = [...new Set(branches.map(({ message }) => message.replace(/^must be /, '')))]
  return { path: issue.path, message: `must be ${[first, ...others].join(' or ')}` }
}
