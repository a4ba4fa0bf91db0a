// Makes the model usable in the editor's own chat without any other sign-in, on request, and says what was done.
import { commands, lm, window, workspace } from 'vscode'
import type { Log } from '../../core/log/log.ts'
import { runCommand } from '../ui/commands.ts'
import { inform } from '../ui/inform.ts'
import { sanitize } from '../ui/sanitize.ts'
import type { ModelChoice } from './modelChoice.ts'
import { nativeVendor } from './nativeModels.ts'
import { addProviderGroup, type ProviderGroup } from './providerGroup.ts'

/** Not documented, so each is looked for before it is used. */
const addGroup = 'lm.addLanguageModelsProviderGroup'
const manageChat = 'workbench.action.chat.manage'
const closeDialog = 'workbench.action.closeModalEditor'
const openChat = 'workbench.action.chat.open'
/** The list of provider groups as a file: where there is only one group, the dialog cannot remove it. */
const openList = 'workbench.action.openLanguageModelsJson'

const byHand =
  'This editor cannot be set up by a command. Open its chat, choose Manage Models, then Add Models, then Kourier.'

/** A provider group of our own is what opens the editor's chat to a model that it did not bring itself. */
export async function useInEditorChat(choice: Pick<ModelChoice, 'offer'>, log: Log): Promise<void> {
  // Not what the editor knows of them, which asks us only now and then.
  const models = await choice.offer()
  const [first] = models
  if (!first) {
    const text = 'There is no model to use yet. Select one, then try again.'
    await inform(text, 'Select Model', () => runCommand('kourier.selectModel'))
    return
  }
  const wereOff = areFeaturesOff()
  const known = new Set(await commands.getCommands(true))
  const isKnown = [addGroup, manageChat, openChat].every(id => known.has(id))
  const add = (group: ProviderGroup) => commands.executeCommand(addGroup, group)
  if (!isKnown || !(await addProviderGroup(add, { name: 'Kourier', vendor: nativeVendor }, log))) {
    await window.showWarningMessage(byHand)
    return
  }
  await commands.executeCommand(manageChat)
  // It opens a list of models beside what it does.
  if (known.has(closeDialog)) await commands.executeCommand(closeDialog)
  await commands.executeCommand(openChat)
  // The editor has asked us for our models when this returns, so what is said next is true.
  await lm.selectChatModels({ vendor: nativeVendor })
  const which = models.length === 1 ? sanitize(first.id) : 'Each of your models'
  const text = [
    `${which} can now be picked in the editor's chat.`,
    "For that Kourier stands in the editor's list of model providers; delete it there to undo this.",
    ...(wereOff ? ['The AI features of the editor were off (chat.disableAIFeatures) and are on now.'] : []),
  ].join(' ')
  await inform(text, 'Open List', () => commands.executeCommand(known.has(openList) ? openList : manageChat))
}

/** By the user's own setting, which the editor takes away when its chat is wanted. */
function areFeaturesOff(): boolean {
  return workspace.getConfiguration('chat').inspect<boolean>('disableAIFeatures')?.globalValue === true
}
