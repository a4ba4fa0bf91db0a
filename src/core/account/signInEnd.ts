// Maps the answer that ended a device flow, and its step, to the fault that the sign-in fails with.
import { never } from '../../base/fault.ts'
import type { Problem } from '../../protocol/wire/problem.ts'
import { ProblemError } from '../http/errors.ts'
import type { Answer } from './deviceFlowTable.ts'
import { SignInError } from './signInError.ts'

/** What to throw: a `SignInError`, or the fault that the answer itself was. */
export function signInEnd(during: 'registering' | 'polling' | 'renewing', answer: Answer): unknown {
  switch (answer.is) {
    case 'denied':
      return new SignInError('denied', answer.problem)
    case 'refused':
      if (answer.fault) return answer.fault
      return during === 'registering' ? registrationRefused(answer) : new SignInError('refused', answer.problem)
    case 'unclear':
      return during === 'registering' ? registrationFailed(answer.fault) : answer.fault
    case 'no code':
      return new SignInError(during === 'registering' ? 'no code' : 'run out')
    case 'slow down':
      return new SignInError('too often', {}, answer.waitMs)
    case 'lost':
      return new SignInError(during === 'polling' ? 'lost' : 'run out', answer.problem)
    case 'over':
    case 'expired':
      return new SignInError('run out')
    case 'code':
    case 'granted':
    case 'pending':
    case 'claimed':
      return new SignInError('refused')
    default:
      return never(answer)
  }
}

function registrationRefused({ problem, waitMs }: { problem: Problem; waitMs?: number | undefined }): SignInError {
  const { code = '' } = problem
  if (code === 'invalid_login_hint') return new SignInError('email', problem)
  // The service offers registration, but not with this identity type.
  const isOff = /not_enabled$|^unsupported|^(interaction|login)_required$/.test(code)
  return new SignInError(isOff ? 'not offered' : 'refused', problem, waitMs)
}

/** A refusal may have no error code, so the status decides. Only a temporary fault stays as it is, which offers Retry. */
function registrationFailed(fault: unknown): unknown {
  if (!(fault instanceof ProblemError)) return fault
  const { status, problem, retryAfterMs } = fault
  if (status === 429 || problem.code === 'rate_limited') return new SignInError('too often', problem, retryAfterMs)
  if (status === 404 || status === 405 || status === 501) return new SignInError('not offered', problem)
  return status >= 500 || status === 408 ? fault : new SignInError('refused', problem)
}
