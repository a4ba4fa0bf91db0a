// `chatWords`: the English words of an exported or read conversation.
import type { ChatWords } from '../../src/core/conversation/chatWords.ts'

export const chatWords: ChatWords = {
  you: 'You',
  kourier: 'Kourier',
  thinking: 'Thinking',
  ended: state => `The answer is ${state}.`,
  result: 'Result:',
  attached: name => `Attached: ${name}`,
  image: name => `Image: ${name}`,
  tool: name => `Tool: ${name}`,
  changed: name => `Changed: ${name}`,
  hiddenCharacters: count => `${count} hidden characters`,
}
