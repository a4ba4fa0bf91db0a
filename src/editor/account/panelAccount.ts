// Who is signed in, as the page draws it.
import type { Clock } from '../../base/clock.ts'
import type { Account } from '../../core/account/account.ts'
import { qrCode } from '../../core/account/qrCode.ts'
import type { PanelAccount } from '../../protocol/panel.ts'
import { grouped, remainingMs, troubleText } from '../ui/codeText.ts'
import { absenceNotice, refusedNotice } from './accountNews.ts'
import type { SignInView } from './signInView.ts'

export function panelAccount(account: Account, signIn: SignInView, clock: Clock): PanelAccount {
  const { state } = signIn
  if (state.is === 'working') return { is: 'signing-in', service: state.service, text: state.text }
  if (state.is === 'code') {
    const { code, is } = state.step
    const { service, tag } = state
    const trouble = troubleText(state.step, clock)
    return {
      is: 'code',
      service,
      tag,
      qr: qrCode(code.uri),
      host: code.host,
      code: grouped(code.text),
      remainingMs: remainingMs(state.step, clock),
      isRenewing: is === 'renewing',
      ...(trouble && { trouble }),
    }
  }
  const service = signIn.serviceName
  switch (account.state.is) {
    case 'unknown':
      return { is: 'unknown' }
    case 'out': {
      const said = state.notice ?? absenceNotice(account.state, service)
      return { is: 'out', service, canUseBrowser: signIn.canUseBrowser, ...(said && { notice: said }) }
    }
    case 'in': {
      const { email } = account.state.account
      return { is: 'in', service, ...(email && { email }), ...(state.notice && { notice: state.notice }) }
    }
    case 'refused':
      return { is: 'refused', service, notice: state.notice ?? refusedNotice(account.state.account, service) }
  }
}
