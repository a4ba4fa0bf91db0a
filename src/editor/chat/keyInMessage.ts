// A message that holds an API key: asks before anything is sent or kept.
import { window } from 'vscode'
import type { KeyText } from '../../core/log/keyText.ts'

const WITHOUT = 'Send Without the Key'

/** The text to send; undefined where the user would rather change it. A key itself is never sent to the model. */
export async function askAboutKey(text: string, keys: KeyText): Promise<string | undefined> {
  if (!keys.isIn(text)) return text
  const chosen = await window.showWarningMessage(
    'This message holds an API key.',
    {
      modal: true,
      detail:
        'Whoever has the key can use your plan, so Kourier sends no key to the model and keeps none in a chat. If somebody else may have seen it, revoke it on the dashboard under API Keys.',
    },
    WITHOUT,
  )
  return chosen === WITHOUT ? keys.without(text) : undefined
}
