// `startCompletion`: inline completions, and the commands that switch them on and off and snooze them.
import type { Position, TextDocument } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { completionSettings } from '../editor/complete/completionSettings.ts'
import { editorSources } from '../editor/complete/editorSources.ts'
import { followSelections } from '../editor/complete/followSelections.ts'
import { inlineProvider } from '../editor/complete/inlineProvider.ts'
import { toggleCompletions } from '../editor/complete/toggleCompletions.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import { relatedDocuments } from '../editor/workspace/relatedDocuments.ts'
import type { Services } from './services.ts'

export function startCompletion(services: Services): Disposable {
  const {
    models,
    selection,
    clock,
    log,
    settings,
    snooze,
    completionOutcome,
    access,
    documents,
    editorDocuments,
    thinking,
    modelMemory: memory,
    address,
    account,
    scheduler,
    connect,
    report,
  } = services
  const disposables = new DisposableStore()
  const snapshotOf = (document: TextDocument, position: Position) => editorDocuments.snapshotOf(document, position)
  const factsOf = (document: TextDocument) => editorDocuments.factsOf(document)
  const completer = async () => {
    const [
      { Completer },
      { CompletionFigures },
      { KindCounts },
      { ModelPace },
      { PromptModes },
      { PromptSources },
      { SparingMemory },
      { WarmConnection },
      usage,
    ] = await Promise.all([
      import('../core/complete/completer.ts'),
      import('../core/complete/completionFigures.ts'),
      import('../core/complete/kindCounts.ts'),
      import('../core/complete/modelPace.ts'),
      import('../core/complete/promptModes.ts'),
      import('../core/complete/promptSources.ts'),
      import('../core/complete/sparingMemory.ts'),
      import('../core/http/warmConnection.ts'),
      services.usage(),
    ])
    const sources = disposables.add(
      new PromptSources({ ...editorSources({ access, snapshotOf, factsOf }), access, clock, log }),
    )
    disposables.add(followSelections(sources, snapshotOf))
    const surface = () => settings.get('surface')
    const modes = disposables.add(new PromptModes({ models, memory, thinking, surface, address, clock, log }))
    const learnt = { memory: disposables.add(new SparingMemory(memory, clock)), address }
    const isKeyKnown = () => account.credential(settings.service?.origin ?? '') !== undefined
    const connection = new WarmConnection({
      connect,
      address: () => (isKeyKnown() ? address() : undefined),
      clock,
      log,
    })
    const document = (uri: string) => documents.get(uri)
    const figures = disposables.add(new CompletionFigures({ clock, document, add: usage.add }))
    const made = disposables.add(
      new Completer({
        models,
        model: selection.forCompletions,
        clock,
        neighbours: snapshot => relatedDocuments(snapshot, editorDocuments),
        settings: snapshot => snooze.applied(completionSettings(snapshot)),
        access,
        documents,
        thinking,
        modes,
        kinds: new KindCounts(learnt),
        modelPace: new ModelPace(learnt),
        hasFreeSlot: () => scheduler.hasFreeSlot,
        hasExtraSlot: () => scheduler.hasExtraSlot,
        connection,
        sources,
        onOutcome: completionOutcome.record,
        figures,
        log,
      }),
    )
    services.suggestions.isActiveAt = snapshot => made.isActiveAt(snapshot)
    return made
  }
  disposables.add(
    thinking.onDidBecomeUnstoppable(async model => {
      const { thinkingNotice } = await import('../editor/complete/thinkingNotice.ts')
      await thinkingNotice(model, () => selection.selectForCompletions()).catch(report)
    }),
  )
  const provider = disposables.add(inlineProvider(completer, editorDocuments, clock))
  disposables.add(
    registerCommands(
      {
        'kourier.toggleCompletions': () => toggleCompletions(settings),
        'kourier.snoozeCompletions': () => snooze.extend(),
        'kourier.hideCompletion': () => provider.hide(),
        'kourier.endSnooze': () => snooze.end(),
      },
      report,
    ),
  )
  return disposables
}
