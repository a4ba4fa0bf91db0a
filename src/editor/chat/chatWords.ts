// `chatWords`: the words of a conversation as text, in the editor's display language.
import { l10n } from 'vscode'
import type { ChatWords } from '../../core/conversation/chatWords.ts'

export const chatWords = (): ChatWords => ({
  you: l10n.t('You'),
  kourier: l10n.t('Kourier'),
  thinking: l10n.t('Thinking'),
  interrupted: l10n.t('The answer is not complete.'),
  result: l10n.t('Result:'),
  attached: name => l10n.t('Attached: {name}', { name }),
  image: name => l10n.t('Image: {name}', { name }),
  tool: name => l10n.t('Tool: {name}', { name }),
  changed: name => l10n.t('Changed: {name}', { name }),
})
