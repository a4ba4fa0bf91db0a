// `faultSentence`: the sentence for each fault: what happened, to what, and what to do.
import { l10n } from 'vscode'
import { KeyringError } from '../../core/account/credentialStore.ts'
import { SignInError } from '../../core/account/signInError.ts'
import { RefusedError } from '../../core/agent/refusedError.ts'
import { UnofferedCallError } from '../../core/agent/unofferedCallError.ts'
import { JournalAccessError, LaterJournalError } from '../../core/conversation/journal.ts'
import {
  ContractError,
  NotOfferedError,
  ProblemError,
  TooLargeError,
  TooLongError,
  TransportError,
} from '../../core/http/errors.ts'
import { Redactor } from '../../core/log/redact.ts'
import { NoModelError } from '../../core/model/noModelError.ts'
import { SettingsError } from '../../core/settings.ts'
import type { Remedy } from '../../protocol/remedy.ts'
import { certificateText } from './certificateText.ts'
import { listed } from './listed.ts'
import { localDuration } from './localDuration.ts'
import { sanitize, sanitized } from './sanitize.ts'
import { serviceAtHost } from './serviceAtHost.ts'
import { textLanguage } from './textLanguage.ts'

/** The context of a sentence. */
export interface Names {
  /** What the service is called. */
  readonly service: string
  /** The model that was asked. */
  readonly model?: string | undefined
  /** The fault ended a request for an answer in a chat, which keeps the part that arrived. */
  readonly isAnswer?: true
  /** The sign-in method to use again: the one that was used. By default `sign-in`. */
  readonly signInMethod?: Remedy
  /** The sign-in method to offer instead where the one that was used cannot work. By default `use-key`. */
  readonly otherSignInMethod?: Remedy
  /** Removes the secrets of this session from the service's text, which may repeat what was sent. */
  readonly redact?: (text: string) => string
}

/** Whole sentences, ready to be shown: names and the service's text in them are escaped. */
export function faultSentence(fault: unknown, names: Names): string {
  if (fault instanceof TransportError) return transportText(fault, names)
  if (fault instanceof ContractError) return contractText(fault, names)
  if (fault instanceof TooLargeError) return tooLargeText(names)
  if (fault instanceof TooLongError) return tooLongText(fault)
  if (fault instanceof NotOfferedError) return notOfferedText(fault, names)
  if (fault instanceof SignInError) return signInText(fault, names)
  if (fault instanceof ProblemError) return problemText(fault, names)
  if (fault instanceof KeyringError) return keyringText(fault)
  if (fault instanceof SettingsError)
    return l10n.t('Kourier could not write into your settings. Save or fix settings.json, then try again.')
  if (fault instanceof RefusedError) return refusedText(fault)
  if (fault instanceof UnofferedCallError)
    return fault.hasTools
      ? l10n.t('The model called tools in a way that cannot be carried out, several times in a row. Try again.')
      : l10n.t('The model tried to use a tool, but this chat has none. Try again.')
  if (fault instanceof LaterJournalError)
    return l10n.t(
      'A newer version of Kourier wrote this chat (file version {version}). It was left as it is; update Kourier to open it.',
      { version: fault.version },
    )
  if (fault instanceof JournalAccessError)
    return l10n.t(
      'Kourier may not read the file of this chat, which was left as it is. Give your account on this machine read access to {path}, then open the chat again.',
      sanitized({ path: fault.path }),
    )
  if (fault instanceof NoModelError) return l10n.t('Select the model to talk to first.')
  return l10n.t('Something went wrong inside Kourier. The log says more.')
}

function transportText(fault: TransportError, names: Names): string {
  const { why, host } = fault
  if (why === 'certificate') return certificateText(fault)
  if (fault.isProxyFault) return proxyFaultText(fault)
  switch (why) {
    case 'name not found':
      return l10n.t('Kourier cannot find {host}. Check the network or the address.', sanitized({ host }))
    case 'refused':
    case 'unreachable':
    case 'connect timeout': {
      const service = serviceAtHost(names.service, host)
      return l10n.t('{service} cannot be reached. Check the network, then try again.', { service })
    }
    case 'proxy':
    case 'proxy sign-in':
    case 'proxy address':
      return proxyAnswerText(why, fault)
    case 'reset':
    case 'first byte timeout':
    case 'silence':
    case 'asleep':
      return lostText(why, fault, names)
  }
}

function lostText(
  why: 'reset' | 'first byte timeout' | 'silence' | 'asleep',
  { host, where }: TransportError,
  { isAnswer }: Names,
): string {
  const values = sanitized({ host })
  const hasBegun = where === 'during the answer'
  const isKept = hasBegun && isAnswer
  switch (why) {
    case 'reset':
      if (isKept) return l10n.t('The connection to {host} broke off. What arrived is kept.', values)
      if (hasBegun) return l10n.t('The connection to {host} broke off. Try again.', values)
      return l10n.t('{host} closed the connection without an answer. Try again.', values)
    case 'first byte timeout':
    case 'silence':
      if (isKept) return l10n.t('{host} stopped responding. What arrived is kept.', values)
      return hasBegun
        ? l10n.t('{host} stopped responding. Try again.', values)
        : l10n.t('{host} does not respond. Try again.', values)
    case 'asleep':
      return isKept
        ? l10n.t('The connection to {host} was lost while this machine slept. What arrived is kept.', values)
        : l10n.t('The connection to {host} was lost while this machine slept. Try again.', values)
  }
}

/** The proxy refused the connection or requires authentication, or its address in the settings is invalid. */
function proxyAnswerText(
  why: 'proxy' | 'proxy sign-in' | 'proxy address',
  { host, proxy, setting = '' }: TransportError,
): string {
  const values = sanitized({ host, proxy: proxy ?? '', setting })
  switch (why) {
    case 'proxy':
      return proxy === undefined
        ? l10n.t("A proxy on the way refused the connection to {host}. Check the editor's proxy settings.", values)
        : l10n.t("The proxy {proxy} refused the connection to {host}. Check the editor's proxy settings.", values)
    case 'proxy sign-in':
      return proxy === undefined
        ? l10n.t(
            "A proxy on the way wants a sign-in before it lets Kourier reach {host}. Give it in the editor's proxy settings, then try again.",
            values,
          )
        : l10n.t(
            "The proxy {proxy} wants a sign-in before it lets Kourier reach {host}. Give it in the editor's proxy settings, then try again.",
            values,
          )
    case 'proxy address':
      return l10n.t(
        'Kourier needs a proxy like http://proxy.example:8080 or socks5://proxy.example:1080 to reach {host}, and finds none in {setting}. Fix or empty it, then try again.',
        values,
      )
  }
}

/** The connection to the proxy failed, so the service was not reached. */
function proxyFaultText({ why, proxy = '' }: TransportError): string {
  const values = sanitized({ proxy })
  switch (why) {
    case 'name not found':
      return l10n.t(
        "Kourier cannot find the proxy {proxy}. Check the network or the editor's proxy settings, then try again.",
        values,
      )
    case 'refused':
    case 'unreachable':
      return l10n.t(
        "The proxy {proxy} cannot be reached. Check the network or the editor's proxy settings, then try again.",
        values,
      )
    case 'connect timeout':
      return l10n.t(
        "The proxy {proxy} did not answer. Check the network or the editor's proxy settings, then try again.",
        values,
      )
    default:
      return l10n.t(
        "The proxy {proxy} closed the connection without an answer. Check the network or the editor's proxy settings, then try again.",
        values,
      )
  }
}

function contractText({ host, what, place }: ContractError, { service }: Names): string {
  const values = sanitized({ host, service, target: place ?? '' })
  switch (what) {
    case 'html':
      return l10n.t(
        '{host} answered with a web page. It may be the login page of your network, or the address is not that of the service; open a browser to see.',
        values,
      )
    case 'redirect':
      return place === undefined
        ? l10n.t('{host} redirects elsewhere, and Kourier follows no redirect. Check the address.', values)
        : l10n.t('{host} redirects to {target}, and Kourier follows no redirect. Check the address.', values)
    case 'empty':
      return l10n.t('{service} sent an empty answer. Try again.', values)
    case 'no service':
      return l10n.t('There is no service that Kourier knows at {host}. Check the address.', values)
    case 'unsafe page':
      return l10n.t(
        '{host} names a page for the code that is not safe to open, so the sign-in has ended. Tell whoever runs the service.',
        values,
      )
    case 'not json':
    case 'shape':
      return l10n.t(
        '{host} answered in a way that Kourier does not understand. Try again, or tell whoever runs the service; the log says where the answer is wrong.',
        values,
      )
  }
}

function tooLargeText({ service, isAnswer }: Names): string {
  const values = sanitized({ service })
  return isAnswer
    ? l10n.t('{service} sent more than Kourier can hold. Ask for less at once.', values)
    : l10n.t('{service} sent more than Kourier can hold. Try again.', values)
}

function tooLongText({ tokens, limit, oldest, largest }: TooLongError): string {
  const count = (number: number) => number.toLocaleString(textLanguage())
  const values = { over: count(tokens - limit), limit: count(limit), count: count(oldest ?? 0) }
  if (largest.length > 0)
    return l10n.t(
      'The next request would be about {over} tokens too long: the model accepts only {limit}. Most room is taken by {names}. Start a new chat.',
      { ...values, ...sanitized({ names: listed(largest, 'conjunction') }) },
    )
  if (oldest === undefined)
    return l10n.t(
      'The message is about {over} tokens too long: the model accepts only {limit}. Send less text at once, in a new chat.',
      values,
    )
  return oldest === 1
    ? l10n.t(
        'The conversation is about {over} tokens too long: the model accepts only {limit}. It would fit without its first message. Start a new chat.',
        values,
      )
    : l10n.t(
        'The conversation is about {over} tokens too long: the model accepts only {limit}. It would fit without its first {count} messages. Start a new chat.',
        values,
      )
}

function notOfferedText({ path }: NotOfferedError, { service }: Names): string {
  return l10n.t(
    '{service} does not offer the API that is set ({path}). Use chat completions instead.',
    sanitized({ service, path }),
  )
}

function signInText({ reason, problem, retryAfterMs }: SignInError, names: Names): string {
  const { otherSignInMethod = 'use-key' } = names
  const words = serviceText(problem.text, names)
  const service = sanitize(names.service)
  const values = { service, words }
  switch (reason) {
    case 'denied':
      return words
        ? l10n.t('The sign-in was denied (“{words}”). You can sign in again.', values)
        : l10n.t('The sign-in was denied. You can sign in again.')
    case 'refused':
      return refusedSignInText(service, words || serviceText(problem.code, names))
    case 'run out':
      return l10n.t('The time for this sign-in has run out. Nothing was changed; you can sign in again.')
    case 'unanswered':
      return otherSignInMethod === 'use-key'
        ? l10n.t(
            'The browser did not lead back to this editor in time. Where it runs on another machine it cannot: use an API key instead.',
          )
        : l10n.t(
            'The browser did not lead back to this editor in time. Where it runs on another machine it cannot: sign in with a code instead.',
          )
    case 'lost':
      return words
        ? l10n.t(
            '{service} may have made a key that was lost on the way (“{words}”). Revoke it on the dashboard under API Keys, then sign in again.',
            values,
          )
        : l10n.t(
            '{service} may have made a key that was lost on the way. Revoke it on the dashboard under API Keys, then sign in again.',
            values,
          )
    case 'email':
      return words
        ? l10n.t('{service} does not accept this email address (“{words}”). Sign in with another one.', values)
        : l10n.t('{service} does not accept this email address. Sign in with another one.', values)
    case 'too often':
      return retryAfterMs === undefined
        ? l10n.t('There were too many sign-ins at {service}. Try again in a moment.', values)
        : l10n.t('There were too many sign-ins at {service}. Try again in {time}.', {
            service,
            time: localDuration(retryAfterMs),
          })
    case 'not offered':
      return words
        ? l10n.t('{service} does not offer this way to sign in (“{words}”). Take another one.', values)
        : l10n.t('{service} does not offer this way to sign in. Take another one.', values)
    case 'no code':
      return l10n.t(
        '{service} shows its code elsewhere, and Kourier cannot go on from there. Make a key on the dashboard and use that.',
        values,
      )
    case 'no client':
      return words
        ? l10n.t(
            '{service} wants a client id for the browser and did not give one out (“{words}”). Ask for one and set it as kourier.clientId, or take another way.',
            values,
          )
        : l10n.t(
            '{service} wants a client id for the browser and did not give one out. Ask for one and set it as kourier.clientId, or take another way.',
            values,
          )
    case 'trouble':
      return words
        ? l10n.t('{service} has trouble with the sign-in at the moment (“{words}”). Try again.', values)
        : l10n.t('{service} has trouble with the sign-in at the moment. Try again.', values)
    case 'mixed up':
      return l10n.t(
        "The browser's answer did not come from {service}, so it was not used. Sign in again, and only on the page that Kourier opens.",
        values,
      )
  }
}

function refusedSignInText(service: string, words: string): string {
  return words
    ? l10n.t('{service} refused the sign-in (“{words}”). You can sign in again.', { service, words })
    : l10n.t('{service} refused the sign-in. You can sign in again.', { service })
}

function problemText(fault: ProblemError, names: Names): string {
  const { requestId = '', retryAfterMs } = fault
  const words = serviceText(fault.problem.text, names)
  const { service, model = '' } = names
  const place = serviceAtHost(service, fault.host)
  const time = retryAfterMs === undefined ? '' : localDuration(retryAfterMs)
  const values = { ...sanitized({ service, model, request: requestId }), words, place, time }
  switch (fault.why) {
    case 'key rejected':
      return l10n.t('{service} no longer accepts the key. Sign in again.', values)
    case 'model not granted':
      return model
        ? l10n.t('Kourier was not granted the model {model}. Select another model.', values)
        : l10n.t('Kourier was not granted the model. Select another model.')
    case 'plan':
      return words
        ? l10n.t('Your plan does not allow this (“{words}”). The dashboard shows the plans.', values)
        : l10n.t('Your plan does not allow this. The dashboard shows the plans.')
    case 'forbidden':
      return words
        ? l10n.t(
            'The request to {place} was refused (“{words}”). Either your plan does not allow it, which the dashboard shows, or a firewall or proxy on the way does not.',
            values,
          )
        : l10n.t(
            'The request to {place} was refused. Either your plan does not allow it, which the dashboard shows, or a firewall or proxy on the way does not.',
            values,
          )
    case 'limit':
      return time
        ? l10n.t("The plan's limit is reached; try again in {time}.", values)
        : l10n.t("The plan's limit is reached; try again in a moment.")
    case 'overloaded':
      return time
        ? l10n.t('{place} is overloaded; try again in {time}.', values)
        : l10n.t('{place} is overloaded; try again in a moment.', values)
    case 'too long':
      return l10n.t('The conversation is too long for the model. Start a new chat, or ask with less text.')
    case 'trouble':
      return troubleText(values)
    case 'not accepted':
      return notAcceptedText(values, names)
  }
}

function troubleText(values: { readonly place: string; readonly words: string; readonly request: string }): string {
  if (values.words)
    return values.request
      ? l10n.t(
          '{place} has trouble answering at the moment (“{words}”). Try again. If it goes on, its support can look up {request}.',
          values,
        )
      : l10n.t('{place} has trouble answering at the moment (“{words}”). Try again.', values)
  return values.request
    ? l10n.t(
        '{place} has trouble answering at the moment. Try again. If it goes on, its support can look up {request}.',
        values,
      )
    : l10n.t('{place} has trouble answering at the moment. Try again.', values)
}

/** Does not suggest to retry a question unchanged, because the service would answer the same. */
function notAcceptedText(values: { readonly service: string; readonly words: string }, { isAnswer }: Names): string {
  if (isAnswer)
    return values.words
      ? l10n.t(
          '{service} did not accept the request (“{words}”). Ask in another way or in a new chat; if it goes on, tell whoever runs the service.',
          values,
        )
      : l10n.t(
          '{service} did not accept the request. Ask in another way or in a new chat; if it goes on, tell whoever runs the service.',
          values,
        )
  return values.words
    ? l10n.t('{service} did not accept the request (“{words}”). Try again, or tell whoever runs the service.', values)
    : l10n.t('{service} did not accept the request. Try again, or tell whoever runs the service.', values)
}

function keyringText({ why }: KeyringError): string {
  switch (why) {
    case 'failed':
      return l10n.t("This machine's keyring reports a failure. Unlock it, then try again.")
    case 'silent':
      return l10n.t("This machine's keyring does not answer. Unlock it, then try again.")
    case 'forgot':
      return l10n.t("This machine's keyring does not keep what it is given. Unlock it, then try again.")
  }
}

function refusedText({ hasBegun }: RefusedError): string {
  return hasBegun
    ? l10n.t('The model declined to go on. What arrived is kept; ask in another way.')
    : l10n.t('The model declined to answer. Ask in another way.')
}

/** Used where `Names.redact` is not given: recognizes secrets by their shape alone. */
const byShape = new Redactor()

/** The service's text, without secrets and escaped; empty where there is none. */
function serviceText(text: string | undefined, { redact = value => byShape.redact(value) }: Names): string {
  return sanitize(redact(text ?? ''))
}
