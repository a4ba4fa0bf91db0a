// `startModels`: the selection of the model, and the models in the editor's own chat.
import type { ExtensionContext } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { NativeModels } from '../editor/models/nativeModels.ts'
import { rememberModels } from '../editor/models/rememberedModels.ts'
import { RevisionWatch } from '../editor/models/revisionWatch.ts'
import { notifyWaits } from '../editor/models/waitNotification.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import type { Services } from './services.ts'

export function startModels(services: Services, context: ExtensionContext): Disposable {
  const { account, catalog, selection, clock, counter, models, names, settings, waits } = services
  const disposables = new DisposableStore()
  const isSettled = () => selection.isSettled
  disposables.add(new RevisionWatch({ catalog, settings, isSettled, onDidFail: models.onDidFail, names, clock }))
  disposables.add(
    new NativeModels({
      models,
      waits,
      available: () => selection.available,
      refresh: signal => catalog.refresh(signal),
      countTokens: async (model, content) => {
        const { tokensOf } = await import('../core/model/tokenEstimate.ts')
        return (await counter()).correct(model, tokensOf(content)).tokens
      },
      names,
      changes: [catalog.onDidChange, account.onDidChange, settings.onDidChange],
    }),
  )
  disposables.add(notifyWaits(waits, clock))
  disposables.add(
    catalog.onDidChange(listed => {
      if (listed) void rememberModels(context.globalState, services.listOwner(), listed)
    }),
  )
  disposables.add(registerModelCommands(services))
  return disposables
}

function registerModelCommands({ selection, sessions, settings, waits, log, report }: Services): Disposable {
  return registerCommands(
    {
      'kourier.selectModel': async () => {
        const { selectModel } = await import('../editor/models/selectModel.ts')
        await selectModel(selection, sessions)
      },
      'kourier.useInEditorChat': async () => {
        const { useInEditorChat } = await import('../editor/models/useInEditorChat.ts')
        await useInEditorChat(selection, log)
      },
      'kourier.useChatCompletions': async () => {
        const { useChatCompletions } = await import('../editor/models/useChatCompletions.ts')
        await useChatCompletions(settings, sessions.current)
      },
      'kourier.retryNow': () => waits.retryNow(),
    },
    report,
  )
}
