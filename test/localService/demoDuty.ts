// `demoDuty`: what the demo model answers to a client that asks for a title, for a summary, or for a file with a block in it.
import { attachedTexts } from './attachedText.ts'
import type { Message } from './modelRequest.ts'
import { withoutSurroundings } from './surroundings.ts'

/** Undefined for a question of a person. */
export function demoDuty(messages: readonly Message[]): string | undefined {
  const given = messages.filter(({ role }) => role === 'system' || role === 'developer').map(({ text }) => text)
  const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text)
  if (given.some(text => /^Write a title for the conversation\b/.test(text))) return titleOf(asked.at(-1) ?? '')
  if (given.some(text => /^You apply a code block to a file\b/.test(text))) return applied(asked.at(-1) ?? '')
  return /^Summarize this conversation\b/.test(asked.at(-1) ?? '') ? summaryOf(asked.slice(0, -1)) : undefined
}

/** The file with the block at its end. */
function applied(text: string): string {
  const [, , file = '', block = ''] =
    /^<file (\w+)>\n([\s\S]*)\n<\/file \1>\n\n<block \1>\n([\s\S]*)\n<\/block \1>$/.exec(text) ?? []
  return `\`\`\`\`\`\n${file.trimEnd()}\n\n${block}\n\`\`\`\`\``
}

const TITLE_WORDS = 6

function titleOf(text: string): string {
  const [, question = ''] = /<question>\n([\s\S]*?)\n<\/question>/.exec(text) ?? []
  const words = question.trim().split(/\s+/)
  return (
    words
      .slice(0, TITLE_WORDS)
      .join(' ')
      .replace(/\p{P}+$/u, '') || 'Demo'
  )
}

function summaryOf(asked: readonly string[]): string {
  const questions = asked.map(text => attachedTexts(withoutSurroundings(text)))
  const names = new Set(questions.flatMap(({ attachments }) => attachments.map(({ name }) => `\`${name}\``)))
  const lines = questions.map(
    ({ rest }) => `- ${rest.split('\n')[0]?.slice(0, 200) || '(nothing but what is attached)'}`,
  )
  return [
    `The user has asked:\n\n${lines.join('\n')}`,
    names.size > 0 ? `Attached were ${[...names].join(', ')}.` : '',
    'The demo model has shown for each how an answer looks. Nothing is open.',
  ]
    .filter(part => part !== '')
    .join('\n\n')
}
