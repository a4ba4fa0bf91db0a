// `maskedTool`: a tool whose results have no values of secret variables, and which does not write the marks that replace them.
import type { SecretTrace } from './secretTrace.ts'
import type { Masked, SecretValues } from './secretValues.ts'
import type { PreparedCall, Tool, ToolInput, ToolOutput } from './tool.ts'
import { errorOutput } from './toolOutput.ts'

export interface Masking {
  readonly secrets: SecretValues
  readonly trace: SecretTrace
}

/** `countsFor`: the conversation in place of that of a call, where a result goes on to another one. */
export function maskedTool(tool: Tool, { secrets, trace }: Masking, countsFor?: string): Tool {
  const prepare = tool.prepare?.bind(tool)
  const mask = (text: string): Masked => (tool.rights === 'run' ? secrets.mask(text) : secrets.maskValues(text))
  /** Counts for the conversation what was replaced. */
  const masked = (text: string, conversation: string): string => {
    const { text: shown, isMasked } = mask(text)
    if (isMasked) trace.add(countsFor ?? conversation)
    return shown
  }
  const maskedOutput = (output: ToolOutput, conversation: string): ToolOutput => ({
    ...output,
    content: output.content.map(part =>
      part.kind === 'text' ? { ...part, text: masked(part.text, conversation) } : part,
    ),
  })
  const refusal = (input: ToolInput, conversation: string): string | undefined => {
    if (tool.rights !== 'write' || !trace.has(conversation)) return undefined
    const mark = secrets.markIn(textsIn(input).join('\n'))
    return mark && markText(mark)
  }
  const prepared = (call: PreparedCall, conversation: string): PreparedCall => {
    if (call.is === 'refused') return { ...call, output: masked(call.output, conversation) }
    return call.is === 'answered' ? { ...call, output: maskedOutput(call.output, conversation) } : call
  }
  return {
    ...tool,
    ...(prepare && {
      prepare: async (input, context, signal) => {
        const output = refusal(input, context.conversation)
        if (output !== undefined) return { is: 'refused', output }
        return prepared(await prepare(input, context, signal), context.conversation)
      },
    }),
    run: async (input, context, signal) => {
      const output = refusal(input, context.conversation)
      return output === undefined
        ? maskedOutput(await tool.run(input, context, signal), context.conversation)
        : errorOutput(output)
    },
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

const markText = (mark: string) =>
  `The call has ${mark}, which is shown in place of a value that only programs get. It would be written as it is, and ` +
  'the value would be lost. Make smaller edits that leave out the lines with it.'
