// `chatWords`: the English words of an exported or read conversation.
import type { ChatWords } from '../../src/core/conversation/chatWords.ts'

export const chatWords: ChatWords = {
  you: 'You',
  kourier: 'Kourier',
  thinking: 'Thinking',
  interrupted: 'The answer is not complete.',
  result: 'Result:',
  attached: name => `Attached: ${name}`,
  image: name => `Image: ${name}`,
  tool: name => `Tool: ${name}`,
  changed: name => `Changed: ${name}`,
}
