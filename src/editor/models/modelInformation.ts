// `informationOf`: a model as the editor's model picker and its API for extensions describe it.
import { type LanguageModelChatInformation, l10n } from 'vscode'
import { limitsOf, type Model, OUTPUT_LIMIT } from '../../core/model/catalog.ts'

/** `service`: the name of the service, as users know it. */
export function informationOf(model: Model, service: string): LanguageModelChatInformation {
  const { id } = model
  const { input, total, output = OUTPUT_LIMIT } = limitsOf(model)
  return {
    id,
    name: id,
    family: 'kourier',
    version: id,
    detail: service,
    tooltip: l10n.t('{id} of {service}', { id, service }),
    maxInputTokens: input,
    maxOutputTokens: Math.min(output, total),
    capabilities: { toolCalling: true, imageInput: true },
  }
}
