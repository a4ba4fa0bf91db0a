// `codeStatus`: the status bar item while a device flow shows a code.
import { l10n } from 'vscode'
import type { Clock } from '../../base/clock.ts'
import { countdown } from '../../base/text.ts'
import type { CodeStep } from '../../core/account/codeStep.ts'
import { grouped, remainingMs, troubleText } from '../ui/codeText.ts'
import { sentences } from '../ui/sentences.ts'
import type { StatusContent } from './workStatus.ts'

export function codeStatus(step: CodeStep, clock: Clock): StatusContent {
  // The old code is not shown, because the service refuses it as soon as it has issued another.
  if (step.is === 'renewing')
    return { text: `$(loading~spin) ${l10n.t('Kourier: new code')}`, tooltip: l10n.t('Getting a new code…') }
  const trouble = troubleText(step, clock)
  const left = remainingMs(step, clock)
  if (left === 0) {
    const tooltip = sentences(trouble, l10n.t('Get a new code in the chat view or here.'))
    return { text: `$(key) ${l10n.t('Kourier: code expired')}`, tooltip, isWarning: true }
  }
  return {
    text: `${trouble && step.status !== 'used' ? '$(warning)' : '$(key)'} ${grouped(step.code.text)} (${countdown(left)})`,
    tooltip: sentences(
      l10n.t('Enter this code at {host}.', { host: step.code.host }),
      trouble,
      l10n.t('Select for what you can do.'),
    ),
  }
}

/** False for a code that has expired or is being replaced. */
export function isCodeUsable(step: CodeStep, clock: Clock): boolean {
  return step.is !== 'renewing' && remainingMs(step, clock) > 0
}
