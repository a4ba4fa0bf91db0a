// `chatWords`: the words of a conversation as text, in the editor's display language.
import { l10n } from 'vscode'
import type { ChatWords } from '../../core/conversation/chatWords.ts'

export const chatWords = (): ChatWords => ({
  you: l10n.t('You'),
  kourier: l10n.t('Kourier'),
  thinking: l10n.t('Thinking'),
  ended: state => endings()[state],
  result: l10n.t('Result:'),
  attached: name => l10n.t('Attached: {name}', { name }),
  image: name => l10n.t('Image: {name}', { name }),
  tool: name => l10n.t('Tool: {name}', { name }),
  changed: name => l10n.t('Changed: {name}', { name }),
  hiddenCharacters: count => l10n.t('{count} hidden characters', { count }),
})

/** The same sentences as in the page. */
const endings = () => ({
  stopped: l10n.t('Stopped.'),
  interrupted: l10n.t('The answer was interrupted here.'),
  failed: l10n.t('The answer was interrupted here.'),
  length: l10n.t('The answer reached the length limit of the model.'),
  filtered: l10n.t("The service's content filter ended this answer."),
  refused: l10n.t('The model declined to answer.'),
})
