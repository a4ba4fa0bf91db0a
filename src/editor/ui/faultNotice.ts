// `faultNotice`: a fault as a sentence with the button of its remedy.
import { meaningOf } from '../../core/http/fault.ts'
import type { Notice } from '../../protocol/panel.ts'
import type { Remedy } from '../../protocol/remedy.ts'
import { faultSentence, type Names } from './faultSentence.ts'
import { notice } from './notices.ts'

/** The sentence of a fault with the button of its remedy. */
export function faultNotice(fault: unknown, names: Names): Notice {
  return notice(faultSentence(fault, names), remedyOf(fault, names))
}

/** Signing in again uses the same sign-in method as before, or the other one. */
function remedyOf(
  fault: unknown,
  { signInMethod = 'sign-in', otherSignInMethod = 'use-key' }: Names,
): Remedy | undefined {
  const { kind, remedy } = meaningOf(fault)
  if (remedy === 'sign-in') return signInMethod
  return remedy === 'use-key' && kind !== 'sign-in: no code' ? otherSignInMethod : remedy
}
