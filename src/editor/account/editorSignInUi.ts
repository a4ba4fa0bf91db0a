// SignInUi in the editor: input boxes, quick picks and dialogs, each loaded when it is first needed.
import { env, workspace } from 'vscode'
import type { Account } from '../../core/account/account.ts'
import type { Machine } from '../../core/account/machine.ts'
import type { SignInUi } from '../../core/account/signInUi.ts'
import { runCommand } from '../ui/commands.ts'
import { openExactly } from '../ui/openExactly.ts'

export interface EditorSignInUiOptions {
  readonly account: Account
  readonly machine: Pick<Machine, 'gitEmail'>
  /** The name of the service, escaped for a sentence. */
  readonly serviceName: () => string
}

export function editorSignInUi({ account, machine, serviceName }: EditorSignInUiOptions): SignInUi {
  return {
    async wantsSignInHere(place) {
      const { wantsSignInHere } = await import('./signedInElsewhere.ts')
      return wantsSignInHere(account.state, place, serviceName())
    },
    async askAddress(last, signal) {
      const { askAddress } = await import('./askAddress.ts')
      return askAddress(last, signal)
    },
    async mayContact(api, server) {
      const { askServer } = await import('./askServer.ts')
      return askServer(api, server)
    },
    async findEmails(search) {
      const { findEmails } = await import('./emailSources.ts')
      return findEmails({ ...search, mayReadWorkspace: workspace.isTrusted, gitEmail: machine.gitEmail })
    },
    async askEmail(found, service, signal) {
      const { askEmail } = await import('./askEmail.ts')
      return askEmail(found, service, signal)
    },
    async askConsent(service, email) {
      const { askConsent } = await import('./askEmail.ts')
      return askConsent(service, email)
    },
    async askKey(service, signal) {
      const { askKey } = await import('./askKey.ts')
      return askKey(service, signal)
    },
    openPage: openExactly,
    copy: async text => env.clipboard.writeText(text),
    show: () => runCommand('kourier.openChat'),
  }
}
