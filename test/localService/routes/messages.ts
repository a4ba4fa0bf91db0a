// The messages surface.
import type { Hono } from 'hono'
import { inference } from '../inference.ts'
import type { Env, Parts } from '../parts.ts'
import { messagesFrames, messagesWhole } from '../surface/messagesAnswer.ts'
import { readMessagesRequest } from '../surface/messagesRequest.ts'
import type { Surface } from '../surface/surface.ts'
import { contextTokens, inputTokens } from '../tokens.ts'

const surface: Surface = {
  path: '/anthropic/v1/messages',
  idPrefix: 'msg_',
  limitWords: {
    tooLong: input => `prompt is too long: ${input} tokens > ${inputTokens} maximum`,
    tooMuch: (input, output) =>
      `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${contextTokens}, decrease input length or \`max_tokens\` and try again`,
  },
  read: readMessagesRequest,
  whole: messagesWhole,
  frames: messagesFrames,
}

export const messages = (parts: Parts): Hono<Env> => inference(surface, parts)
