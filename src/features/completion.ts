// Suggestions while typing.
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { Completer } from '../core/complete/completer.ts'
import { completionSettings } from '../editor/complete/completionSettings.ts'
import { inlineProvider } from '../editor/complete/inlineProvider.ts'
import { relatedDocuments } from '../editor/complete/relatedDocuments.ts'
import { toggleCompletions } from '../editor/complete/toggleCompletions.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import type { Services } from './services.ts'

export function startCompletion({ models, choice, clock, log, settings, report }: Services): Disposable {
  const life = new DisposableStore()
  const completer = life.add(
    new Completer({
      models,
      model: choice.forCompletions,
      clock,
      neighbours: relatedDocuments,
      settings: completionSettings,
      log,
    }),
  )
  life.add(inlineProvider(completer))
  life.add(registerCommands({ 'kourier.toggleCompletions': () => toggleCompletions(settings) }, report))
  return life
}
