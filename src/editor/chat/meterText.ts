// The sentences about a message that is too long, and about a compaction that was not carried out.
import { l10n } from 'vscode'
import type { CompactionOutcome } from '../../core/agent/compaction.ts'
import { listed } from '../ui/listed.ts'
import { sanitize } from '../ui/sanitize.ts'
import { textLanguage } from '../ui/textLanguage.ts'

export interface TooLong {
  readonly tokens: number
  readonly limit: number
  readonly model: string
  /** What would help if it was removed. */
  readonly names: readonly string[]
  readonly isCompactable: boolean
  readonly helpsNewChat: boolean
}

export function tooLongText({ tokens, limit, model, names, isCompactable, helpsNewChat }: TooLong): string {
  const count = (number: number) => number.toLocaleString(textLanguage())
  const sizes = { tokens: count(tokens), limit: count(limit), model: sanitize(model) }
  const values = { ...sizes, names: listed(names.map(sanitize), 'conjunction') }
  if (names.length > 0)
    return isCompactable
      ? l10n.t(
          'This message needs about {tokens} tokens, but {model} accepts only {limit}. Remove {names}, or compact the conversation.',
          values,
        )
      : l10n.t('This message needs about {tokens} tokens, but {model} accepts only {limit}. Remove {names}.', values)
  if (isCompactable)
    return l10n.t(
      'This message needs about {tokens} tokens, but {model} accepts only {limit}. Compact the conversation, or start a new chat.',
      sizes,
    )
  return helpsNewChat
    ? l10n.t(
        'This message needs about {tokens} tokens, but {model} accepts only {limit}. Shorten the message, or start a new chat.',
        sizes,
      )
    : l10n.t('This message needs about {tokens} tokens, but {model} accepts only {limit}. Shorten the message.', sizes)
}

/** Undefined where it was carried out. */
export function compactionText(outcome: CompactionOutcome): string | undefined {
  switch (outcome) {
    case 'done':
      return undefined
    case 'nothing':
      return l10n.t('There is nothing to summarize yet. The newest part of a chat is always kept as it is.')
    case 'incomplete':
      return l10n.t('The summary was not completed, so the conversation is unchanged. Try again.')
    case 'busy':
      return l10n.t('An answer is being written in this chat. Summarize it when the answer has ended.')
  }
}

/** The size of the whole repository against the model's window. */
export function repositorySizeText(tokens: number, limit: number): string {
  const count = (number: number) => number.toLocaleString(textLanguage())
  return l10n.t('{tokens} of the {limit} tokens that the model accepts', { tokens: count(tokens), limit: count(limit) })
}
