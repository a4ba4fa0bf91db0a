// `textIn` and `numberIn`: optional arguments of a call, which has been checked against the schema of its tool.
import type { ToolInput } from './tool.ts'

/** Undefined also for an empty text. */
export function textIn(input: ToolInput, name: string): string | undefined {
  const value = input[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberIn(input: ToolInput, name: string): number | undefined {
  const value = input[name]
  return typeof value === 'number' ? value : undefined
}
