// Makes the panel message of the account: who is signed in, the sign-in under way, and the notice about it.
import type { Clock } from '../../base/clock.ts'
import type { Account } from '../../core/account/account.ts'
import { qrCode } from '../../core/account/qrCode.ts'
import type { SignIn } from '../../core/account/signIn.ts'
import type { SignInState } from '../../core/account/signInState.ts'
import type { PanelAccount } from '../../protocol/panel.ts'
import { grouped, remainingMs, troubleText } from '../ui/codeText.ts'
import { sanitize } from '../ui/sanitize.ts'
import { serviceNameOf, workText } from '../ui/signInText.ts'
import { absenceNotice, refusedNotice } from './accountNotifications.ts'
import { endingNotice } from './signInEndings.ts'

export interface PanelAccountOptions {
  readonly account: Account
  readonly signIn: SignIn
  readonly clock: Clock
  /** Takes the secrets of this session out of a text. */
  readonly redact: (text: string) => string
}

export function panelAccount(options: PanelAccountOptions): PanelAccount {
  const { account, signIn, clock } = options
  const { state } = signIn
  if (state.is === 'code') return codeAccount(state, clock)
  const work = workText(state)
  if (work) return { is: 'signing-in', ...work }
  const service = serviceNameOf(signIn)
  const ended = state.is === 'ended' ? endingNotice(state, options) : undefined
  switch (account.state.is) {
    case 'unknown':
      return { is: 'unknown' }
    case 'out': {
      const notice = ended ?? absenceNotice(account.state, service)
      return { is: 'out', service, canUseBrowser: signIn.canUseBrowser, ...(notice && { notice }) }
    }
    case 'in': {
      const { email } = account.state.account
      return { is: 'in', service, ...(email && { email }), ...(ended && { notice: ended }) }
    }
    case 'refused':
      return { is: 'refused', service, notice: ended ?? refusedNotice(account.state.account, service) }
  }
}

function codeAccount({ service, tag, step }: Extract<SignInState, { is: 'code' }>, clock: Clock): PanelAccount {
  const { code, is } = step
  const trouble = troubleText(step, clock)
  return {
    is: 'code',
    service: sanitize(service.name),
    tag,
    qr: qrCode(code.uri),
    host: code.host,
    code: grouped(code.text),
    remainingMs: remainingMs(step, clock),
    isRenewing: is === 'renewing',
    ...(trouble && { trouble }),
  }
}
