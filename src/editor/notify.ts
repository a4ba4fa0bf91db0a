// Faults into sentences and buttons.
import { type MessageItem, window } from 'vscode'
import { isStop } from '../base/abort.ts'
import { plainLine } from '../base/text.ts'
import { SignInError } from '../core/auth/ceremony.ts'
import { KeyringError } from '../core/auth/credentialStore.ts'
import { NoModelError } from '../core/chat/session.ts'
import { ContractError, ProblemError, TooLargeError, TransportError } from '../core/http/errors.ts'
import { verdictOf } from '../core/http/verdict.ts'
import type { Wait } from '../core/model/routedClient.ts'
import type { Notice, PanelAction } from '../protocol/panel.ts'
import { type CommandId, runCommand } from './commands.ts'

/** Names for a sentence. */
export interface Names {
  /** What the service is called. */
  readonly service: string
  readonly model?: string | undefined
}

const labels: Readonly<Record<PanelAction, string>> = {
  retry: 'Retry',
  'sign-in': 'Sign In',
  'use-key': 'Use an API Key',
  'pick-model': 'Select Model',
  'open-dashboard': 'Open Dashboard',
  'change-address': 'Change Address',
  'show-log': 'Show Log',
  'new-code': 'Get a New Code',
}

/** A sentence that says what happened, to what, and what to do; and the one button that does it. */
export function notice(text: string, action?: PanelAction): Notice {
  return { text, ...(action && { action: { id: action, label: labels[action] } }) }
}

/** The one table of what a person reads when something went wrong. Texts of the service come escaped and in quotes. */
export function noticeOf(fault: unknown, names: Names): Notice {
  if (fault instanceof TransportError) return transportNotice(fault, names)
  if (fault instanceof ContractError) return contractNotice(fault, names)
  if (fault instanceof TooLargeError)
    return notice(`${names.service} sent more than Kourier can hold. Ask for less at once.`, 'retry')
  if (fault instanceof SignInError) return signInNotice(fault, names)
  if (fault instanceof ProblemError) return problemNotice(fault, names)
  if (fault instanceof KeyringError)
    return notice('This machine’s keyring does not work at the moment. Unlock it, then try again.', 'retry')
  if (fault instanceof NoModelError) return notice('Choose the model to talk to first.', 'pick-model')
  return notice('Something went wrong inside Kourier. The log says more.', 'show-log')
}

function transportNotice({ host, why, stage }: TransportError, { service }: Names): Notice {
  switch (why) {
    case 'name not found':
      return notice(`Kourier cannot find ${host}. Check the network or the address.`, 'retry')
    case 'refused':
    case 'unreachable':
    case 'connect timeout':
      return notice(
        `${service === host ? host : `${service} at ${host}`} cannot be reached. Check the network, then try again.`,
        'retry',
      )
    case 'certificate':
      return notice(
        `${host} shows a certificate that this machine does not trust, so nothing was sent to it.`,
        'show-log',
      )
    case 'proxy':
      return notice(
        `The proxy in between refused the connection to ${host}. Check the editor's proxy settings.`,
        'retry',
      )
    case 'first byte timeout':
    case 'silence':
    case 'asleep':
      return notice(
        `${host} has fallen silent. ${stage === 'during' ? 'What arrived is kept.' : 'Try again.'}`,
        'retry',
      )
    case 'reset':
      return stage === 'during'
        ? notice(`The connection to ${host} broke off. What arrived is kept.`, 'retry')
        : notice(`${host} closed the connection without an answer. Try again.`, 'retry')
  }
}

function contractNotice({ host, what, message }: ContractError, { service }: Names): Notice {
  switch (what) {
    case 'html':
      return notice(
        `${host} answered with a web page. It may be the login page of your network; open a browser to see.`,
        'retry',
      )
    case 'redirect':
      return notice(
        `${host} wants to send Kourier elsewhere, which is not followed. Check the address.`,
        'change-address',
      )
    case 'empty':
      return notice(`${service} sent an empty answer. Try again.`, 'retry')
    case 'not json':
    case 'shape':
      return notice(
        `${host} answered in a way that Kourier does not understand (${inert(message.split(' at ').at(-1) ?? '')}).`,
        'show-log',
      )
  }
}

function signInNotice({ reason, problem }: SignInError, { service }: Names): Notice {
  switch (reason) {
    case 'denied':
      return notice(`The sign-in was denied${quoted(problem.text)}. You can sign in again.`, 'sign-in')
    case 'refused':
      return notice(`${service} refused the sign-in${quoted(problem.text)}. You can sign in again.`, 'sign-in')
    case 'run out':
      return notice('The time for this sign-in has run out. Nothing was changed; you can sign in again.', 'sign-in')
    case 'lost':
      return notice(
        `${service} may have made a key that was lost on the way. Revoke it on the dashboard under API Keys, then sign in again.`,
        'sign-in',
      )
  }
}

function problemNotice(fault: ProblemError, { service, model }: Names): Notice {
  const text = quoted(fault.problem.text)
  switch (verdictOf(fault).ask) {
    case 'signIn':
      return notice(`${service} no longer accepts the key. Sign in again.`, 'sign-in')
    case 'chooseModel':
      return notice(`Kourier was not granted the model ${inert(model ?? '')}. Pick another model.`, 'pick-model')
    case 'pay':
      return notice(`Your plan does not allow this${text}. The dashboard shows the plans.`, 'open-dashboard')
    case 'wait':
      return notice(`The plan's limit is reached; try again ${afterWait(fault.waitMs)}.`, 'retry')
    case 'shorten':
      return notice('The conversation is too long for the model. Start a new chat, or ask with less text.', 'retry')
    case 'retry':
      return notice(`${service} has trouble answering at the moment. Try again.`, 'retry')
    case 'ours':
      return notice(`${service} did not accept the request${text}.`, 'show-log')
  }
}

/** What a wait says while it lasts. */
export function waitText(wait: Wait): string {
  if (wait.is === 'in line') return `Waiting for a free slot (${wait.held} of ${wait.limit} in use)`
  const again = `trying again ${afterWait(wait.waitMs)}`
  return wait.why === 'limit' ? `The plan's limit is reached; ${again}` : `The service stumbled; ${again}`
}

function afterWait(waitMs: number | undefined): string {
  if (waitMs === undefined) return 'in a moment'
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return seconds < 120 ? `in ${seconds} s` : `in ${Math.ceil(seconds / 60)} minutes`
}

function quoted(text: string | undefined): string {
  return text ? ` (“${inert(text)}”)` : ''
}

/**
 * A stranger's text without power: the editor turns `[label](command:…)` in a notification into a link that runs, and
 * `$(name)` elsewhere into an icon.
 */
export function inert(text: string): string {
  return plainLine(text)
    .replace(/[[\]`<>]/g, ' ')
    .replace(/\$\(/g, '$ (')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Shows a notice as a notification. `retry` is what its Retry button does. */
export async function showNotice({ text, action }: Notice, retry?: () => unknown): Promise<void> {
  const button: MessageItem | undefined =
    action && (action.id !== 'retry' || retry) ? { title: action.label } : undefined
  const chosen = button ? await window.showErrorMessage(text, button) : await window.showErrorMessage(text)
  if (!chosen || !action) return
  if (action.id === 'retry') retry?.()
  else runAction(action.id)
}

export async function showFault(fault: unknown, names: Names, retry?: () => unknown): Promise<void> {
  if (!isStop(fault)) await showNotice(noticeOf(fault, names), retry)
}

/** The buttons that mean the same everywhere. Retry and a new code belong to whoever drew them. */
const commandOf: Partial<Record<PanelAction, CommandId>> = {
  'sign-in': 'kourier.signIn',
  'change-address': 'kourier.signIn.changeAddress',
  'use-key': 'kourier.useApiKey',
  'pick-model': 'kourier.selectModel',
  'open-dashboard': 'kourier.openDashboard',
  'show-log': 'kourier.showLog',
}

export function runAction(action: PanelAction): void {
  const command = commandOf[action]
  if (command) runCommand(command)
}
