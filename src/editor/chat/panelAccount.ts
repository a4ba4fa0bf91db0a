// Who is signed in, as the page draws it.
import type { Clock } from '../../base/clock.ts'
import type { Account } from '../../core/auth/account.ts'
import type { PanelAccount } from '../../protocol/panel.ts'
import { grouped, remainingMs } from '../account/codeText.ts'
import type { SignInView } from '../account/signInView.ts'
import { inert, notice } from '../notify.ts'

export function panelAccount(account: Account, signIn: SignInView, clock: Clock): PanelAccount {
  const { state } = signIn
  if (state.is === 'working') return { is: 'signing-in', service: state.service, text: state.text }
  if (state.is === 'code') {
    const { code, isRenewing } = state.step
    const { service, tag } = state
    return {
      is: 'code',
      service,
      tag,
      host: code.host,
      code: grouped(code.text),
      remainingMs: remainingMs(state.step, clock),
      isRenewing,
    }
  }
  const service = signIn.serviceName
  switch (account.state.is) {
    case 'unknown':
      return { is: 'unknown' }
    case 'out':
      return { is: 'out', service, ...(state.notice && { notice: state.notice }) }
    case 'in': {
      const { email } = account.state.account
      return { is: 'in', service, ...(email && { email }) }
    }
    case 'refused':
      return {
        is: 'refused',
        service,
        notice: notice(`${inert(service)} no longer accepts the key. Sign in again.`, 'sign-in'),
      }
  }
}
