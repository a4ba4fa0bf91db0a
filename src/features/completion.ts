// `startCompletion`: inline completions, and the command that switches them on and off.
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { completionSettings } from '../editor/complete/completionSettings.ts'
import { inlineProvider } from '../editor/complete/inlineProvider.ts'
import { toggleCompletions } from '../editor/complete/toggleCompletions.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import { relatedDocuments } from '../editor/workspace/relatedDocuments.ts'
import type { Services } from './services.ts'

export function startCompletion(services: Services): Disposable {
  const { models, selection, clock, log, settings, access, documents, editorDocuments, report } = services
  const disposables = new DisposableStore()
  const completer = async () => {
    const { Completer } = await import('../core/complete/completer.ts')
    return disposables.add(
      new Completer({
        models,
        model: selection.forCompletions,
        clock,
        neighbours: snapshot => relatedDocuments(snapshot, editorDocuments),
        settings: completionSettings,
        access,
        documents,
        log,
      }),
    )
  }
  disposables.add(inlineProvider(completer, (document, position) => editorDocuments.snapshotOf(document, position)))
  disposables.add(registerCommands({ 'kourier.toggleCompletions': () => toggleCompletions(settings) }, report))
  return disposables
}
