// `textOutput` and `errorOutput`: the result of a call that is one text.
import type { ToolOutput } from './tool.ts'

export function textOutput(text: string, details?: Readonly<Record<string, unknown>>): ToolOutput {
  return { content: [{ kind: 'text', text }], ...(details && { details: { ...details } }) }
}

/** The call was not carried out as asked, and the text lets the model correct it. */
export function errorOutput(text: string): ToolOutput {
  return { isError: true, ...textOutput(text) }
}
