// The responses surface.
import type { Hono } from 'hono'
import { inference } from '../inference.ts'
import type { Env, Parts } from '../parts.ts'
import { responsesFrames, responsesWhole } from '../surface/responsesAnswer.ts'
import { readResponsesRequest } from '../surface/responsesRequest.ts'
import type { Surface } from '../surface/surface.ts'
import { gatewayLimitWords } from '../tokens.ts'

const surface: Surface = {
  path: '/v1/responses',
  idPrefix: 'resp_',
  limitWords: gatewayLimitWords,
  read: readResponsesRequest,
  whole: responsesWhole,
  frames: responsesFrames,
}

export const responses = (parts: Parts): Hono<Env> => inference(surface, parts)
