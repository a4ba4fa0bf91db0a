// How a sign-in with a code stands in the status bar, and what its menu offers.
import type { Clock } from '../../base/clock.ts'
import type { CodeStep } from '../../core/account/deviceFlow.ts'
import { countdown, grouped, remainingMs, troubleText } from '../ui/codeText.ts'

export interface CodeLook {
  readonly text: string
  readonly tooltip: string
  readonly isWarning?: boolean
}

export function codeLook(step: CodeStep, clock: Clock): CodeLook {
  // The old code stops working as soon as there is another: whoever typed it now would be refused.
  if (step.is === 'renewing') return { text: '$(loading~spin) Kourier: new code', tooltip: 'Getting a new code…' }
  const trouble = troubleText(step, clock)
  const left = remainingMs(step, clock)
  if (left === 0) {
    const tooltip = sentences(trouble, 'Get a new code in the chat view or here.')
    return { text: '$(key) Kourier: code expired', tooltip, isWarning: true }
  }
  return {
    text: `${trouble && step.status !== 'used' ? '$(warning)' : '$(key)'} ${grouped(step.code.text)} (${countdown(left)})`,
    tooltip: sentences(`Enter this code at ${step.code.host}.`, trouble, 'Select for what you can do.'),
  }
}

/** Nobody is sent to a page, or given a code, for which it is too late. */
export function isCodeUsable(step: CodeStep, clock: Clock): boolean {
  return step.is !== 'renewing' && remainingMs(step, clock) > 0
}

const sentences = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join(' ')
