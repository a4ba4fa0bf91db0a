// Faults into sentences and buttons.
import { type MessageItem, window } from 'vscode'
import { isAbort } from '../../base/abort.ts'
import { durationText } from '../../base/text.ts'
import { KeyringError } from '../../core/account/credentialStore.ts'
import { NO_SERVICE } from '../../core/account/discovery.ts'
import { SignInError } from '../../core/account/signInError.ts'
import { RefusedError } from '../../core/agent/refusedError.ts'
import {
  ContractError,
  NotOfferedError,
  ProblemError,
  TooLargeError,
  TooLongError,
  TransportError,
} from '../../core/http/errors.ts'
import { verdictOf } from '../../core/http/verdict.ts'
import { Redactor } from '../../core/log/redact.ts'
import { NoModelError } from '../../core/model/noModelError.ts'
import { SettingsError } from '../../core/settings.ts'
import type { Notice, PanelAction } from '../../protocol/panel.ts'
import { certificateText } from './certificateText.ts'
import { type CommandId, type EditorCommandId, runCommand } from './commands.ts'
import { sanitize } from './sanitize.ts'

/** Names for a sentence. */
export interface Names {
  /** What the service is called. */
  readonly service: string
  /** The model that was asked. */
  readonly model?: string | undefined
  /** An answer of the model was on its way: it was asked for, and what arrived of it stands there. */
  readonly isAnswer?: true
  /** The way in that was taken, which signing in again takes as well; by a code, unless this says otherwise. */
  readonly way?: PanelAction
  /** Another way in, where the one that was taken leads nowhere. */
  readonly otherWay?: PanelAction
  /** Takes the secrets of this session out of the service's words, which may repeat what was sent. */
  readonly redact?: (text: string) => string
}

/** Where nobody knows the secrets by value, their shapes are known. */
const byShape = new Redactor()

const labels: Readonly<Record<PanelAction, string>> = {
  retry: 'Retry',
  'sign-in': 'Sign In',
  'sign-in-with-browser': 'Sign In with the Browser',
  'resume-sign-in': 'Sign In Again',
  'use-key': 'Use an API Key',
  'pick-model': 'Select Model',
  'use-chat-completions': 'Use Chat Completions',
  'new-chat': 'New Chat',
  'open-dashboard': 'Open Dashboard',
  'change-address': 'Change Address',
  'show-log': 'Show Log',
  'new-code': 'Get a New Code',
  'reload-window': 'Reload Window',
  'manage-trust': 'Manage Workspace Trust',
  'open-settings': 'Open Settings',
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
    return notice(
      `${names.service} sent more than Kourier can hold. ${names.isAnswer ? 'Ask for less at once.' : 'Try again.'}`,
      'retry',
    )
  if (fault instanceof TooLongError) return tooLongNotice(fault)
  if (fault instanceof NotOfferedError)
    return notice(
      `${names.service} does not offer the way of asking that is set (${fault.path}). Use chat completions instead.`,
      'use-chat-completions',
    )
  if (fault instanceof SignInError) return signInNotice(fault, names)
  if (fault instanceof ProblemError) return problemNotice(fault, names)
  if (fault instanceof KeyringError)
    return notice(`This machine’s keyring ${keyringFault(fault)}. Unlock it, then try again.`, 'retry')
  if (fault instanceof SettingsError)
    return notice(
      'Kourier could not write into your settings. Save or mend settings.json, then try again.',
      'open-settings',
    )
  if (fault instanceof RefusedError)
    return notice(
      fault.hasBegun
        ? 'The model declined to go on. What arrived is kept; ask in another way.'
        : 'The model declined to answer. Ask in another way.',
    )
  if (fault instanceof NoModelError) return notice('Choose the model to talk to first.', 'pick-model')
  return notice('Something went wrong inside Kourier. The log says more.', 'show-log')
}

/** What is wrong with the keyring, behind its name. */
export function keyringFault({ why }: KeyringError): string {
  switch (why) {
    case 'failed':
      return 'reports a failure'
    case 'silent':
      return 'does not answer'
    case 'forgot':
      return 'does not keep what it is given'
  }
}

function transportNotice(fault: TransportError, { service, isAnswer }: Names): Notice {
  const { host, why, stage } = fault
  if (fault.isProxyFault && why !== 'certificate') return proxyNotice(fault)
  const next = stage === 'during' && isAnswer ? 'What arrived is kept.' : 'Try again.'
  const proxy = fault.proxy === undefined ? 'The proxy in between' : `The proxy ${fault.proxy}`
  switch (why) {
    case 'name not found':
      return notice(`Kourier cannot find ${host}. Check the network or the address.`, 'retry')
    case 'refused':
    case 'unreachable':
    case 'connect timeout':
      return notice(`${placed(service, host)} cannot be reached. Check the network, then try again.`, 'retry')
    case 'certificate':
      return notice(certificateText(fault), 'show-log')
    case 'proxy sign-in':
      return notice(
        `${proxy} wants a sign-in before it lets Kourier reach ${host}. Give it in the editor's proxy settings, then try again.`,
        'retry',
      )
    case 'proxy':
      return notice(`${proxy} refused the connection to ${host}. Check the editor's proxy settings.`, 'retry')
    case 'proxy address':
      return notice(
        `Kourier needs a proxy like http://proxy.example:8080 to reach ${host}, and finds none in ${fault.setting}. Mend or empty it, then try again.`,
        'retry',
      )
    case 'first byte timeout':
    case 'silence':
      return notice(`${host} has fallen silent. ${next}`, 'retry')
    case 'asleep':
      return notice(`The connection to ${host} was lost while this machine slept. ${next}`, 'retry')
    case 'reset':
      return stage === 'during'
        ? notice(`The connection to ${host} broke off. ${next}`, 'retry')
        : notice(`${host} closed the connection without an answer. Try again.`, 'retry')
  }
}

/** There is no way to the proxy; of the service nothing is known yet. */
function proxyNotice({ why, proxy }: TransportError): Notice {
  const next = "Check the network or the editor's proxy settings, then try again."
  switch (why) {
    case 'name not found':
      return notice(`Kourier cannot find the proxy ${proxy}. ${next}`, 'retry')
    case 'refused':
    case 'unreachable':
      return notice(`The proxy ${proxy} cannot be reached. ${next}`, 'retry')
    case 'connect timeout':
      return notice(`The proxy ${proxy} did not answer. ${next}`, 'retry')
    default:
      return notice(`The proxy ${proxy} closed the connection without an answer. ${next}`, 'retry')
  }
}

/** A service by its name and where it is, once. One that has not told its name yet is called by its host. */
function placed(service: string, host: string): string {
  return service === host || /^[^\s]+(\.[^\s]+|:\d+)$/.test(service) ? host : `${service} at ${host}`
}

function contractNotice({ host, what, message }: ContractError, { service }: Names): Notice {
  switch (what) {
    case 'html':
      return notice(
        `${host} answered with a web page. It may be the login page of your network, or the address is not that of the service; open a browser to see.`,
        'retry',
      )
    case 'redirect':
      return notice(
        `${host} redirects ${wayIn(message)}, and Kourier follows no redirect. Check the address.`,
        'change-address',
      )
    case 'empty':
      return notice(`${service} sent an empty answer. Try again.`, 'retry')
    case 'not json':
    case 'shape':
      if (message.endsWith(NO_SERVICE))
        return notice(`There is no service that Kourier knows at ${host}. Check the address.`, 'change-address')
      return notice(
        `${host} answered in a way that Kourier does not understand (${placeIn(message)}). Try again, or tell whoever runs the service.`,
        'show-log',
      )
  }
}

/** What a contract error names at its end: a place in the answer, or the host of a redirect. */
function placeIn(message: string): string {
  return sanitize(message.split(' at ').at(-1) ?? '')
}

/** A redirect that names no host leads to the same one. */
function wayIn(message: string): string {
  const host = placeIn(message)
  return host === 'elsewhere' ? host : `to ${host}`
}

function signInNotice({ reason, problem, waitMs }: SignInError, names: Names): Notice {
  const { service, way = 'sign-in', otherWay = 'use-key' } = names
  const said = quoted(problem.text, names)
  switch (reason) {
    case 'denied':
      return notice(`The sign-in was denied${said}. You can sign in again.`, way)
    case 'refused':
      return notice(`${service} refused the sign-in${said || quoted(problem.code, names)}. You can sign in again.`, way)
    case 'run out':
      return notice(
        'The time for this sign-in has run out. Nothing was changed; you can sign in again.',
        'resume-sign-in',
      )
    case 'unanswered':
      return notice(
        `The browser did not lead back to this editor in time. Where it runs on another machine it cannot: ${otherWay === 'use-key' ? 'use an API key' : 'sign in with a code'} instead.`,
        otherWay,
      )
    case 'lost':
      return notice(
        `${service} may have made a key that was lost on the way${said}. Revoke it on the dashboard under API Keys, then sign in again.`,
        way,
      )
    case 'email':
      return notice(`${service} does not accept this email address${said}. Sign in with another one.`, way)
    case 'too often':
      return notice(`There were too many sign-ins at ${service}. Try again ${afterWait(waitMs)}.`, 'retry')
    case 'not offered':
      return notice(`${service} does not offer this way to sign in${said}. Take another one.`, otherWay)
    case 'no code':
      return notice(
        `${service} shows its code elsewhere, and Kourier cannot go on from there. Make a key on the dashboard and use that.`,
        'use-key',
      )
    case 'no client':
      return notice(
        `${service} wants a client id for the browser and did not give one out${said}. Ask for one and set it as kourier.clientId, or take another way.`,
        otherWay,
      )
    case 'trouble':
      return notice(`${service} has trouble with the sign-in at the moment${said}. Try again.`, 'retry')
    case 'mixed up':
      return notice(
        `The browser's answer did not come from ${service}, so it was not used. Sign in again, and only on the page that Kourier opens.`,
        way,
      )
  }
}

function problemNotice(fault: ProblemError, names: Names): Notice {
  const { service, model, way = 'sign-in' } = names
  const text = quoted(fault.problem.text, names)
  switch (verdictOf(fault).ask) {
    case 'signIn':
      return notice(`${service} no longer accepts the key. Sign in again.`, way)
    case 'chooseModel':
      return notice(
        `Kourier was not granted the model${model ? ` ${sanitize(model)}` : ''}. Pick another model.`,
        'pick-model',
      )
    case 'pay':
      return notice(`Your plan does not allow this${text}. The dashboard shows the plans.`, 'open-dashboard')
    case 'allow':
      return notice(
        `The request to ${placed(service, fault.host)} was refused${text}. Either your plan does not allow it, which the dashboard shows, or a firewall or proxy on the way does not.`,
        'open-dashboard',
      )
    case 'wait':
      return notice(`The plan's limit is reached; try again ${afterWait(fault.waitMs)}.`, 'retry')
    case 'shorten':
      return notice('The conversation is too long for the model. Start a new chat, or ask with less text.', 'new-chat')
    case 'retry':
      return notice(
        `${placed(service, fault.host)} has trouble answering at the moment. Try again.${reference(fault)}`,
        'retry',
      )
    case 'chooseSurface':
    case 'ours':
      return notice(`${service} did not accept the request${text}. ${nextAfterRefusal(names)}`, 'show-log')
  }
}

/** The same question once more would meet the same answer. */
function nextAfterRefusal({ isAnswer }: Names): string {
  return isAnswer
    ? 'Ask in another way or in a new chat; if it goes on, tell whoever runs the service.'
    : 'Try again, or tell whoever runs the service.'
}

/** What its support can look up. */
function reference({ requestId }: ProblemError): string {
  return requestId ? ` If it goes on, its support can look up ${requestId}.` : ''
}

function afterWait(waitMs: number | undefined): string {
  return waitMs === undefined ? 'in a moment' : `in ${durationText(waitMs)}`
}

function tooLongNotice({ tokens, limit, oldest }: TooLongError): Notice {
  const count = (number: number) => number.toLocaleString('en')
  const over = `about ${count(tokens - limit)} tokens too long for the model, which reads ${count(limit)}`
  if (oldest === undefined) return notice(`The message is ${over}. Send less text at once, in a new chat.`, 'new-chat')
  const first = oldest === 1 ? 'message' : `${oldest} messages`
  return notice(`The conversation is ${over}. Without its first ${first} it would fit: start a new chat.`, 'new-chat')
}

function quoted(text: string | undefined, { redact = said => byShape.redact(said) }: Names): string {
  return text ? ` (“${sanitize(redact(text))}”)` : ''
}

export interface ShowOptions {
  /** What the Retry button does; without it there is none. */
  readonly retry?: (() => unknown) | undefined
  /** False for what the user did. */
  readonly isFault?: boolean
}

/** Shows a notice as a notification. */
export async function showNotice({ text, action }: Notice, { retry, isFault = true }: ShowOptions = {}): Promise<void> {
  const show = isFault ? window.showErrorMessage : window.showInformationMessage
  const button: MessageItem | undefined =
    action && (action.id !== 'retry' || retry) ? { title: action.label } : undefined
  const chosen = button ? await show(text, button) : await show(text)
  if (!chosen || !action) return
  if (action.id === 'retry') retry?.()
  else runAction(action.id)
}

export async function showFault(fault: unknown, names: Names, retry?: () => unknown): Promise<void> {
  if (!isAbort(fault)) await showNotice(noticeOf(fault, names), { retry })
}

/** The buttons that mean the same everywhere. Retry and a new code belong to whoever drew them. */
const commandOf: Partial<Record<PanelAction, CommandId | EditorCommandId>> = {
  'sign-in': 'kourier.signIn',
  'sign-in-with-browser': 'kourier.signInWithBrowser',
  'resume-sign-in': 'kourier.signIn.resume',
  'change-address': 'kourier.signIn.changeAddress',
  'use-key': 'kourier.useApiKey',
  'pick-model': 'kourier.selectModel',
  'use-chat-completions': 'kourier.useChatCompletions',
  'new-chat': 'kourier.newChat',
  'open-dashboard': 'kourier.openDashboard',
  'show-log': 'kourier.showLog',
  'reload-window': 'workbench.action.reloadWindow',
  'manage-trust': 'workbench.trust.manage',
  'open-settings': 'workbench.action.openSettingsJson',
}

export function runAction(action: PanelAction): void {
  const command = commandOf[action]
  if (command) runCommand(command)
}
