// `silenceOf`: why no completion comes by itself at the cursor.
import type { Refusal } from '../workspace/accessPolicy.ts'
import type { CompletionSettings } from './completionSettings.ts'
import type { Outcome } from './lastOutcome.ts'

export interface SilenceFacts {
  readonly isSignedIn: boolean
  /** No model is selected, and none can be selected without the user. */
  readonly isModelMissing: boolean
  /** The model reasons before each answer, and cannot be kept from it. */
  readonly isModelThinking?: boolean
  readonly isTrusted: boolean
  /** Of the document in front; without one, of any. */
  readonly mode: CompletionSettings['mode']
  /** `*`: for all languages; else the language of the document in front. */
  readonly offFor: string | undefined
  /** The user has switched off what the editor shows inline, of all extensions. */
  readonly isInlineOff?: boolean
  /** Undefined where no document that can be completed is in front. */
  readonly document: FrontDocument | undefined
  readonly snoozedUntil: number | undefined
  /** What came of the latest request. */
  readonly outcome: Outcome
  /** Name of another active extension that completes code. */
  readonly otherExtension: string | undefined
}

export interface FrontDocument {
  /** Why the access policy refuses it. */
  readonly refusal: Refusal | undefined
  readonly isLineTooLong: boolean
  readonly cursors: number
}

type Reason<Why extends string, Details = unknown> = Why extends string ? { readonly why: Why } & Details : never

export type Silence =
  | Reason<'signed out' | 'no model' | 'model thinks' | 'restricted'>
  | Reason<'off' | 'inline off'>
  | Reason<'language off', { readonly language: string }>
  | Reason<'excluded' | 'looks secret', { readonly glob: string }>
  | Reason<'holds a secret', { readonly content: 'private key' | 'token' }>
  | Reason<'file too large', { readonly limit: number }>
  | Reason<'binary' | 'line too long' | 'several cursors'>
  | Reason<'snoozed' | 'limit reached', { readonly until: number }>
  | Reason<'subtle' | 'unreachable' | 'failed' | 'nothing fitted' | 'held back'>
  | Reason<'another extension', { readonly name: string }>

/** The first reason in the order in which the user would have to remove them; undefined where completions come. */
export function silenceOf(facts: SilenceFacts): Silence | undefined {
  return ofAccount(facts) ?? ofSwitch(facts) ?? ofDocument(facts.document) ?? ofTime(facts) ?? ofOutcome(facts)
}

function ofAccount({ isSignedIn, isModelMissing, isModelThinking, isTrusted }: SilenceFacts): Silence | undefined {
  if (!isSignedIn) return { why: 'signed out' }
  if (isModelMissing) return { why: 'no model' }
  if (isModelThinking) return { why: 'model thinks' }
  return isTrusted ? undefined : { why: 'restricted' }
}

function ofSwitch({ offFor, isInlineOff }: SilenceFacts): Silence | undefined {
  if (offFor === undefined) return isInlineOff ? { why: 'inline off' } : undefined
  return offFor === '*' ? { why: 'off' } : { why: 'language off', language: offFor }
}

function ofDocument(document: FrontDocument | undefined): Silence | undefined {
  if (!document) return undefined
  const { refusal, isLineTooLong, cursors } = document
  if (refusal) return ofRefusal(refusal)
  if (isLineTooLong) return { why: 'line too long' }
  return cursors > 1 ? { why: 'several cursors' } : undefined
}

function ofRefusal(refusal: Refusal): Silence | undefined {
  switch (refusal.reason) {
    case 'untrusted':
      return { why: 'restricted' }
    case 'binary':
      return { why: 'binary' }
    case 'too large':
      return { why: 'file too large', limit: refusal.limit }
    case 'excluded':
    case 'secret':
      if ('content' in refusal) return { why: 'holds a secret', content: refusal.content }
      return { why: refusal.reason === 'secret' ? 'looks secret' : 'excluded', glob: refusal.glob }
    // An open document is completed all the same.
    case 'outside':
    case 'ignored':
      return undefined
  }
}

function ofTime({ snoozedUntil, mode }: SilenceFacts): Silence | undefined {
  if (snoozedUntil !== undefined) return { why: 'snoozed', until: snoozedUntil }
  return mode === 'subtle' ? { why: 'subtle' } : undefined
}

function ofOutcome({ outcome, otherExtension }: SilenceFacts): Silence | undefined {
  if (outcome.is === 'limit reached') return { why: 'limit reached', until: outcome.until }
  if (outcome.is === 'unreachable' || outcome.is === 'failed') return { why: outcome.is }
  if (otherExtension !== undefined) return { why: 'another extension', name: otherExtension }
  return outcome.is === 'nothing fitted' || outcome.is === 'held back' ? { why: outcome.is } : undefined
}
