// Asks in the editor what a sign-in has to know.
import { env, workspace } from 'vscode'
import type { Account } from '../../core/account/account.ts'
import type { Machine } from '../../core/account/machine.ts'
import type { EmailSearch, SignInUi } from '../../core/account/signInUi.ts'
import { runCommand } from '../ui/commands.ts'
import { askAddress } from './askAddress.ts'
import { askConsent, askEmail } from './askEmail.ts'
import { askKey } from './askKey.ts'
import { askServer } from './askServer.ts'
import { findEmails } from './emailSources.ts'
import { openExactly } from './openExactly.ts'
import { wantsSignInHere } from './signedInElsewhere.ts'

export interface EditorSignInUiOptions {
  readonly account: Account
  readonly machine: Pick<Machine, 'gitEmail'>
  /** The name of the service, for a sentence. */
  readonly serviceName: () => string
}

export function editorSignInUi({ account, machine, serviceName }: EditorSignInUiOptions): SignInUi {
  return {
    wantsSignInHere: place => wantsSignInHere(account.state, place, serviceName()),
    askAddress,
    mayContact: askServer,
    findEmails: (search: EmailSearch) =>
      findEmails({ ...search, mayReadWorkspace: workspace.isTrusted, gitEmail: machine.gitEmail }),
    askEmail,
    askConsent,
    askKey,
    openPage: openExactly,
    copy: async text => env.clipboard.writeText(text),
    show: () => runCommand('kourier.openChat'),
  }
}
