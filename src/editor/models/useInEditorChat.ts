// `useInEditorChat`: the command that makes the models usable in the editor's own chat without any other sign-in.
import { commands, l10n, lm, window, workspace } from 'vscode'
import type { Log } from '../../core/log/log.ts'
import { runCommand } from '../ui/commands.ts'
import { inform } from '../ui/inform.ts'
import { sanitized } from '../ui/sanitize.ts'
import { sentences } from '../ui/sentences.ts'
import type { ModelSelection } from './modelSelection.ts'
import { nativeVendor } from './nativeModels.ts'
import { addProviderGroup, type ProviderGroup } from './providerGroup.ts'

/** Not documented, so the command checks that the editor has them before it uses them. */
const addGroup = 'lm.addLanguageModelsProviderGroup'
const manageChat = 'workbench.action.chat.manage'
const closeDialog = 'workbench.action.closeModalEditor'
const openChat = 'workbench.action.chat.open'
/** Opens the list of provider groups as a file, because the dialog cannot remove a group that is the only one. */
const openList = 'workbench.action.openLanguageModelsJson'

/** Adds a provider group, without which the editor's chat does not offer models of an extension. */
export async function useInEditorChat(selection: Pick<ModelSelection, 'loadAvailable'>, log: Log): Promise<void> {
  // Not from `lm.selectChatModels`, because the editor updates its list of models only now and then.
  const models = await selection.loadAvailable()
  const [first] = models
  if (!first) {
    const text = l10n.t('There is no model to use yet. Select one, then try again.')
    await inform(text, l10n.t('Select Model'), () => runCommand('kourier.selectModel'))
    return
  }
  const wereOff = areFeaturesOff()
  const known = new Set(await commands.getCommands(true))
  const isKnown = [addGroup, manageChat, openChat].every(id => known.has(id))
  const add = (group: ProviderGroup) => commands.executeCommand(addGroup, group)
  if (!isKnown || !(await addProviderGroup(add, { name: 'Kourier', vendor: nativeVendor }, log))) {
    await window.showWarningMessage(
      l10n.t(
        'This editor cannot be set up by a command. Open its chat, choose Manage Models, then Add Models, then Kourier.',
      ),
    )
    return
  }
  await commands.executeCommand(manageChat)
  // Closes the list of models, which `manageChat` opens as well.
  if (known.has(closeDialog)) await commands.executeCommand(closeDialog)
  await commands.executeCommand(openChat)
  // When this resolves, the editor has read the models, so the message that follows is true.
  await lm.selectChatModels({ vendor: nativeVendor })
  const text = sentences(
    models.length === 1
      ? l10n.t("{model} can now be picked in the editor's chat.", sanitized({ model: first.id }))
      : l10n.t("Each of your models can now be picked in the editor's chat."),
    l10n.t("Kourier was added to the editor's list of model providers. Remove it there to undo this."),
    wereOff ? l10n.t('The AI features of the editor were off (chat.disableAIFeatures) and are on now.') : undefined,
  )
  await inform(text, l10n.t('Open List'), () => commands.executeCommand(known.has(openList) ? openList : manageChat))
}

/** By the user's setting, which the editor removes when its chat is opened. */
function areFeaturesOff(): boolean {
  return workspace.getConfiguration('chat').inspect<boolean>('disableAIFeatures')?.globalValue === true
}
