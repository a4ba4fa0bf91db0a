// `exportChat`: saves a conversation as Markdown or JSON where the user chooses.
import { l10n, type QuickPickItem, Uri, window, workspace } from 'vscode'
import { exportedChat } from '../../core/conversation/exportedChat.ts'
import { markdownChat } from '../../core/conversation/markdownChat.ts'
import type { KeyText } from '../../core/log/keyText.ts'
import { titleText } from '../../protocol/conversationPath.ts'
import type { ConversationState } from '../../protocol/conversationState.ts'
import { openFile } from '../ui/commands.ts'
import { inform } from '../ui/inform.ts'
import { sanitize } from '../ui/sanitize.ts'
import { chatWords } from './chatWords.ts'

interface Form extends QuickPickItem {
  readonly ending: 'md' | 'json'
  readonly content: (state: ConversationState) => string
}

const FILE_NAME_CHARS = 60

/** API keys are removed from the text. Resolves also if the user cancels. */
export async function exportChat(state: ConversationState, keys: KeyText): Promise<void> {
  const form = await window.showQuickPick(forms(keys), { title: l10n.t('Export Chat') })
  if (!form) return
  const { ending } = form
  const target = await window.showSaveDialog({
    title: l10n.t('Export Chat'),
    saveLabel: l10n.t('Export'),
    defaultUri: proposedFile(titleText(state), ending),
    filters: ending === 'md' ? { Markdown: ['md'] } : { JSON: ['json'] },
  })
  if (!target) return
  await workspace.fs.writeFile(target, new TextEncoder().encode(form.content(state)))
  const name = sanitize(target.path.split('/').at(-1) ?? '')
  void inform(l10n.t('The chat was exported to {name}.', { name }), l10n.t('Open'), () => openFile(target))
}

function forms(keys: KeyText): Form[] {
  const json = (isOnlyShown: boolean) => (state: ConversationState) =>
    `${JSON.stringify(keys.withoutIn(exportedChat(state, { isOnlyShown })), undefined, 1)}\n`
  return [
    {
      label: l10n.t('Markdown'),
      description: l10n.t('To read and to share; what the chat shows'),
      ending: 'md',
      content: state => keys.without(markdownChat(state, titleText(state) || l10n.t('Chat'), chatWords())),
    },
    {
      label: l10n.t('JSON'),
      description: l10n.t('To import again; what the chat shows'),
      ending: 'json',
      content: json(true),
    },
    {
      label: l10n.t('JSON with all versions'),
      description: l10n.t('To import again; with every version of each question and answer'),
      ending: 'json',
      content: json(false),
    },
  ]
}

/** In the folder of the workspace, if there is one. */
function proposedFile(title: string, ending: string): Uri {
  const name = fileName(title) || l10n.t('chat')
  const folder = workspace.workspaceFolders?.[0]?.uri
  return folder ? Uri.joinPath(folder, `${name}.${ending}`) : Uri.file(`/${name}.${ending}`)
}

/** Letters, digits and hyphens, which every file system takes. */
export function fileName(title: string): string {
  const words =
    title
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  let name = ''
  for (const word of words) {
    const longer = name ? `${name}-${word}` : word
    if (longer.length > FILE_NAME_CHARS) break
    name = longer
  }
  const short = name || (words[0] ?? '').slice(0, FILE_NAME_CHARS).toWellFormed()
  return /^(con|prn|aux|nul|com\d|lpt\d)$/.test(short) ? `chat-${short}` : short
}
