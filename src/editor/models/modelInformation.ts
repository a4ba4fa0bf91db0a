// What the editor is told of a model.
import type { LanguageModelChatInformation } from 'vscode'
import { limitsOf, type Model, OUTPUT_LIMIT } from '../../core/model/catalog.ts'

/** `service`: the name people know it by. Within these limits requests are taken. */
export function informationOf(model: Model, service: string): LanguageModelChatInformation {
  const { id } = model
  const { input, total, output = OUTPUT_LIMIT } = limitsOf(model)
  return {
    id,
    name: id,
    family: 'kourier',
    version: id,
    detail: service,
    tooltip: `${id} of ${service}`,
    maxInputTokens: input,
    maxOutputTokens: Math.min(output, total),
    capabilities: { toolCalling: true, imageInput: true },
  }
}
