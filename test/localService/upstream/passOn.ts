// Hands a stream of chat completions through, event by event, under our model's name.
import { gatewayError, requestIdHeaders } from '../failure.ts'
import { isObject } from '../json.ts'
import { endFrame, eventStream, frame } from '../stream.ts'
import type { Question } from './ask.ts'
import { jsonIn, readEvents, type StreamEvent } from './events.ts'
import { brokenOff, failureIn } from './refusal.ts'
import type { Answer } from './send.ts'

export function passOn(answer: Answer, question: Question): Response {
  return eventStream(renamed(answer, question), requestIdHeaders(question.surface.path))
}

/** Headers are out, so a break can only be reported inside the stream; it then ends without the end signal. */
async function* renamed(answer: Answer, { request, release, ended }: Question): AsyncGenerator<string> {
  let isOver = false
  try {
    for await (const event of readEvents(answer)) {
      if (event.kind === 'data' && event.data === '[DONE]') {
        release()
        yield endFrame
        return
      }
      const json = event.kind === 'data' ? jsonIn(event.data) : undefined
      const text = written(event, json, request.model)
      // An error ends a stream as well as a reason does.
      if (failureIn(json, answer.key)) {
        yield answer.key ? text.replaceAll(answer.key, '[key]') : text
        return
      }
      yield text
      isOver ||= hasReason(json)
    }
  } catch {
    if (ended.aborted) return
    isOver = false
  }
  release()
  // The answer is over by its finish reason, also where the server leaves out `[DONE]`, on which callers rely.
  yield isOver ? endFrame : frame(gatewayError(brokenOff()))
}

function written(event: StreamEvent, json: unknown, model: string): string {
  if (event.kind === 'comment') return `:${event.text}\n\n`
  const name = event.name === undefined ? '' : `event: ${event.name}\n`
  if (isObject(json)) return name + frame('model' in json ? { ...json, model } : json)
  return `${name}${event.data
    .split('\n')
    .map(line => `data: ${line}\n`)
    .join('')}\n`
}

function hasReason(json: unknown): boolean {
  const choices = isObject(json) ? json['choices'] : undefined
  return Array.isArray(choices) && choices.some(choice => isObject(choice) && Boolean(choice['finish_reason']))
}
