// The demo model as one that was trained to fill in text between tokens.
import { continueFrom } from './demoCompletion.ts'
import type { Dialect } from './dialect.ts'
import type { ModelRequest } from './modelRequest.ts'
import type { Reply } from './replies.ts'

const tokens = /^([\s\S]*)<\|fim_prefix\|>([\s\S]*)<\|fim_suffix\|>([\s\S]*)<\|fim_middle\|>$/

/** Undefined where the dialect has no such model, or the request is not made for one. */
export function fillInReply({ messages }: ModelRequest, { fillInTokens }: Dialect): Reply | undefined {
  const match = fillInTokens === 'known' ? tokens.exec(messages.at(-1)?.text ?? '') : null
  if (!match) return undefined
  const [, others = '', before = '', after = ''] = match
  return { text: continueFrom({ before, after, others: others.split('<|file_sep|>'), language: '' }) ?? '' }
}
