// Makes the model usable in the editor's own chat without any other sign-in, on request, and says what was done.
import { commands, lm, window } from 'vscode'
import type { Log } from '../../core/log/log.ts'
import { runCommand } from '../commands.ts'
import { inform } from '../inform.ts'
import { nativeVendor } from './nativeModels.ts'
import { addProviderGroup, type ProviderGroup } from './providerGroup.ts'

/** Not documented, so each is looked for before it is used. */
const addGroup = 'lm.addLanguageModelsProviderGroup'
const manageChat = 'workbench.action.chat.manage'
const closeDialog = 'workbench.action.closeModalEditor'
const openChat = 'workbench.action.chat.open'

const byHand =
  'This editor cannot be set up by a command. Open its chat, choose Manage Models, then Add Models, then Kourier.'

/** A provider group of our own is what opens the editor's chat to a model that it did not bring itself. */
export async function useInEditorChat(log: Log): Promise<void> {
  const models = await lm.selectChatModels({ vendor: nativeVendor })
  if (models.length === 0) {
    const text = 'There is no model to use yet. Open the Kourier chat once, then try again.'
    await inform(text, 'Open Chat', () => runCommand('kourier.openChat'))
    return
  }
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
  const text = `${models[0]?.name} can now be picked in the editor's chat. Kourier added itself to the editor's list of model providers; remove it there under Manage Models.`
  await inform(text, 'Manage Models', () => commands.executeCommand(manageChat))
}
