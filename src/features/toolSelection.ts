// `startToolSelection`: the command Select Tools.
import { l10n, window } from 'vscode'
import type { Disposable } from '../base/disposable.ts'
import { registerCommands } from '../editor/ui/commands.ts'
import { hasTools } from './agent.ts'
import type { Services } from './services.ts'

export function startToolSelection({ agent, report }: Services): Disposable {
  return registerCommands(
    {
      'kourier.selectTools': async () => {
        if (!hasTools()) {
          void window.showInformationMessage(l10n.t('Tools need a folder that you trust. Open one first.'))
          return
        }
        const { selectTools } = await import('../editor/tools/selectTools.ts')
        await selectTools(await agent.foreign())
      },
    },
    report,
  )
}
