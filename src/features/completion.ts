// Suggestions while typing.
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { Completer } from '../core/complete/completer.ts'
import { completionSettings } from '../editor/complete/completionSettings.ts'
import { inlineProvider } from '../editor/complete/inlineProvider.ts'
import { toggleCompletions } from '../editor/complete/toggleCompletions.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import { relatedDocuments } from '../editor/workspace/relatedDocuments.ts'
import type { Services } from './services.ts'

export function startCompletion(services: Services): Disposable {
  const { models, choice, clock, log, settings, access, documents, editorDocuments, report } = services
  const life = new DisposableStore()
  const completer = life.add(
    new Completer({
      models,
      model: choice.forCompletions,
      clock,
      neighbours: snapshot => relatedDocuments(snapshot, editorDocuments),
      settings: completionSettings,
      access,
      documents,
      log,
    }),
  )
  life.add(inlineProvider(completer, (document, position) => editorDocuments.snapshotOf(document, position)))
  life.add(registerCommands({ 'kourier.toggleCompletions': () => toggleCompletions(settings) }, report))
  return life
}
