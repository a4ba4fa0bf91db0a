// The chat completions surface.
import type { Hono } from 'hono'
import { inference } from '../inference.ts'
import type { Env, Parts } from '../parts.ts'
import { chatFrames, chatWhole } from '../surface/chatAnswer.ts'
import { readChatRequest } from '../surface/chatRequest.ts'
import type { Surface } from '../surface/surface.ts'
import { gatewayLimitWords } from '../tokens.ts'

const surface: Surface = {
  path: '/v1/chat/completions',
  idPrefix: 'chatcmpl-',
  limitWords: gatewayLimitWords,
  read: readChatRequest,
  whole: chatWhole,
  frames: chatFrames,
}

export const chatCompletions = (parts: Parts): Hono<Env> => inference(surface, parts)
