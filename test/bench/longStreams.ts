// A long answer on each surface, in the frames of a usual server.
import type { SurfaceId } from '../../src/core/model/surfaceIds.ts'

/** A parsed frame, as a careless reader trusts it. */
export interface Frame {
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[]
  readonly delta?: unknown
}

interface LongStream {
  readonly body: string
  /** The least that has to be done to find a frame's text. */
  readonly textIn: (frame: Frame) => unknown
}

const WORDS = 20_000

const words = (frame: (word: string, at: number) => string) =>
  Array.from({ length: WORDS }, (_, at) => frame(`word${at} `, at)).join('')

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const named = (type: string, more: object) => `event: ${type}\n${data({ type, ...more })}`

const head = { id: 'chatcmpl-3c1f', object: 'chat.completion.chunk', created: 1_767_225_600, model: 'kourier-1-0815' }

export const longStreams: Readonly<Record<SurfaceId, LongStream>> = {
  'chat-completions': {
    body: [
      words(content => data({ ...head, choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
      data({ ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      'data: [DONE]\n\n',
    ].join(''),
    textIn: frame => frame.choices?.[0]?.delta?.content,
  },
  responses: {
    body: [
      words((delta, sequence_number) =>
        named('response.output_text.delta', {
          item_id: 'msg_3c1f',
          output_index: 0,
          content_index: 0,
          delta,
          sequence_number,
        }),
      ),
      named('response.completed', { response: { status: 'completed', output: [] } }),
    ].join(''),
    textIn: frame => frame.delta,
  },
  messages: {
    body: [
      named('message_start', { message: { id: 'msg_3c1f', content: [] } }),
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      words(text => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
      named('content_block_stop', { index: 0 }),
      named('message_delta', { delta: { stop_reason: 'end_turn' } }),
      named('message_stop', {}),
    ].join(''),
    textIn: frame => (frame.delta as { text?: string } | undefined)?.text,
  },
}
