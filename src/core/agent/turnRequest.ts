// `turnRequest`: the content of the requests of a turn; `declarations`: its tools as the model reads them.
import type { ModelRequest, ToolDeclaration } from '../model/modelClient.ts'
import { jsonSchema } from '../tools/flatSchema.ts'
import type { Tool } from '../tools/tool.ts'
import type { Prompt } from './turnPorts.ts'

/** `tools`: none if the model has nothing to call. */
export function turnRequest(
  model: string,
  { system, messages }: Prompt,
  tools: readonly ToolDeclaration[],
): Omit<ModelRequest, 'lane'> {
  return { model, system, messages, ...(tools.length > 0 && { tools }) }
}

/** Sorted by name, so that the beginning of each request is the same. */
export function declarations(tools: readonly Tool[]): ToolDeclaration[] {
  return tools
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, description, parameters, schema }) => ({
      name,
      description,
      parameters: schema ?? jsonSchema(parameters),
    }))
}
