// Judges what was sent by its schema: the value, or what is wrong with it first.
import type * as z from 'zod'
import { fieldsOf } from './body.ts'

export interface Problem {
  /** The field that is wrong; empty where it is the whole. */
  readonly field: string
  readonly sentence: string
}

export type Judged<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: Problem }

export function judge<S extends z.ZodType>(schema: S, sent: unknown): Judged<z.output<S>> {
  const judged = schema.safeParse(sent)
  if (judged.success) return { value: judged.data }
  const issue = judged.error.issues[0]
  return { problem: { field: String(issue?.path[0] ?? ''), sentence: issue?.message ?? 'The request is not valid.' } }
}

/** The same for a form or a query, where a name may come once only (RFC 6749 3.1, 3.2). */
export function judgeFields<S extends z.ZodType>(schema: S, sent: URLSearchParams): Judged<z.output<S>> {
  const repeated = [...new Set(sent.keys())].find(name => sent.getAll(name).length > 1)
  if (repeated !== undefined)
    return { problem: { field: repeated, sentence: `'${repeated}' was sent more than once.` } }
  // RFC 6749 3.1: a parameter without a value is as good as left out.
  const named = [...sent].filter(([, value]) => value !== '')
  return judge(schema, fieldsOf(new URLSearchParams(named)))
}
