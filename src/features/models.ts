// Which model is used, and the model in the editor's own picker and chat.
import type { ExtensionContext } from 'vscode'
import { type Disposable, DisposableStore } from '../base/disposable.ts'
import { tokensOf } from '../core/model/tokenEstimate.ts'
import { NativeModels } from '../editor/models/nativeModels.ts'
import { rememberModels } from '../editor/models/rememberedModels.ts'
import { RevisionWatch } from '../editor/models/revisionWatch.ts'
import { selectModel } from '../editor/models/selectModel.ts'
import { useChatCompletions } from '../editor/models/useChatCompletions.ts'
import { useInEditorChat } from '../editor/models/useInEditorChat.ts'
import { notifyWaits } from '../editor/models/waitNotification.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import type { Services } from './services.ts'

export function startModels(services: Services, context: ExtensionContext): Disposable {
  const { account, catalog, choice, clock, counter, models, names, sessions, settings, waits } = services
  const life = new DisposableStore()
  const isSettled = () => choice.isSettled
  life.add(new RevisionWatch({ catalog, settings, isSettled, onDidFail: models.onDidFail, names, clock }))
  life.add(
    new NativeModels({
      models,
      waits,
      offered: () => choice.offered,
      ask: signal => catalog.refresh(signal),
      countTokens: (model, said) => counter.correct(model, tokensOf(said)).tokens,
      names,
      changes: [catalog.onDidChange, account.onDidChange, settings.onDidChange],
    }),
  )
  life.add(notifyWaits(waits, clock))
  life.add(
    catalog.onDidChange(listed => {
      if (listed) void rememberModels(context.globalState, services.listOwner(), listed)
    }),
  )
  life.add(
    registerCommands(
      {
        'kourier.selectModel': () => selectModel(choice, sessions),
        'kourier.useInEditorChat': () => useInEditorChat(choice, services.log),
        'kourier.useChatCompletions': () => useChatCompletions(settings, sessions.current),
        'kourier.retryNow': () => waits.retryNow(),
      },
      services.report,
    ),
  )
  return life
}
