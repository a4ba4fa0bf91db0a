// `askAboutKey`: asks the user before a message that contains an API key is sent or kept.
import { l10n, window } from 'vscode'
import type { KeyText } from '../../core/log/keyText.ts'

/** The text to send, without keys; undefined where the user cancels. */
export async function askAboutKey(text: string, keys: KeyText): Promise<string | undefined> {
  if (!keys.isIn(text)) return text
  const detail = l10n.t(
    'Whoever has the key can use your plan, so Kourier sends no key to the model and keeps none in a chat. If somebody else may have seen it, revoke it on the dashboard under API Keys.',
  )
  const sendWithout = l10n.t('Send Without the Key')
  const question = l10n.t('This message holds an API key.')
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, sendWithout)
  return chosen === sendWithout ? keys.without(text) : undefined
}
