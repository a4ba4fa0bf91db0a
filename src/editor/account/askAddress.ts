// Asks for the address of the service, and says what is wrong with one that cannot be used.
import { type InputBoxOptions, window } from 'vscode'
import { judgeBaseUrl } from '../../core/account/address.ts'
import { KeyText } from '../../core/log/keyText.ts'
import { withToken } from '../ui/cancellation.ts'

export async function askAddress(wrong: string, signal: AbortSignal): Promise<URL | undefined> {
  const question: InputBoxOptions = {
    title: 'Address of your service',
    prompt: 'Ask whoever gave you Kourier. It is kept in your user settings.',
    placeHolder: 'https://api.example.com',
    value: wrong,
    ignoreFocusOut: true,
    validateInput: text => addressFault(text),
  }
  const typed = await withToken(signal, token => window.showInputBox(question, token))
  const judged = typed === undefined ? undefined : judgeBaseUrl(typed)
  return judged && 'url' in judged ? judged.url : undefined
}

/** A key would pass for the name of a host, and be asked for in the open. */
const keys = new KeyText(() => undefined)

function addressFault(text: string): string | undefined {
  if (keys.isIn(text)) return 'This is an API key. Type the address of your service; the key is asked for after it.'
  const judged = judgeBaseUrl(text)
  if ('url' in judged) return undefined
  switch (judged.fault) {
    case 'not https':
      return 'Only https:// addresses are used; http:// only for this very machine.'
    case 'has a user name':
      return 'Leave the user name out of the address.'
    case 'not an address':
    case 'elsewhere':
    case 'odd characters':
      return text.trim() ? 'This is not a web address.' : 'Type the address of your service.'
  }
}
