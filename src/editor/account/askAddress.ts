// Asks the user for the address of the service, and shows why one cannot be used.
import { type InputBoxOptions, l10n, window } from 'vscode'
import { judgeBaseUrl } from '../../core/account/address.ts'
import { KeyText } from '../../core/log/keyText.ts'
import { withToken } from '../ui/cancellation.ts'

export async function askAddress(last: string, signal: AbortSignal): Promise<URL | undefined> {
  const question: InputBoxOptions = {
    title: l10n.t('Address of your service'),
    prompt: l10n.t('Ask the person who gave you Kourier. The address is saved in your user settings.'),
    placeHolder: 'https://api.example.com',
    value: last,
    ignoreFocusOut: true,
    validateInput: text => addressFault(text),
  }
  const typed = await withToken(signal, token => window.showInputBox(question, token))
  const judged = typed === undefined ? undefined : judgeBaseUrl(typed)
  return judged && 'url' in judged ? judged.url : undefined
}

/** A key that is typed as the address would be taken for the name of a host. */
const keys = new KeyText(() => undefined)

function addressFault(text: string): string | undefined {
  if (keys.isIn(text))
    return l10n.t('This is an API key. Type the address of your service; the key is asked for after it.')
  const judged = judgeBaseUrl(text)
  if ('url' in judged) return undefined
  switch (judged.fault) {
    case 'not https':
      return l10n.t('Use an https:// address. An http:// address works only for this machine.')
    case 'has a user name':
      return l10n.t('Leave the user name out of the address.')
    case 'not an address':
    case 'elsewhere':
    case 'odd characters':
      return text.trim() ? l10n.t('This is not a web address.') : l10n.t('Type the address of your service.')
  }
}
