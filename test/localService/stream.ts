// Writes an event stream piece by piece, as fast as it is read and not longer.
import { setTimeout as sleep } from 'node:timers/promises'

/** A body that asks for the next piece only when the last one was taken, and stops asking when nobody reads. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

export function eventStream(frames: AsyncGenerator<string>, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(streamOf(encoded(frames)), {
    headers: {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      // Without this the adapter may hold the headers back until it has seen the first pieces.
      'transfer-encoding': 'chunked',
    },
  })
}

export const frame = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`

/** An event with its name on a line of its own. */
export const namedFrame = (name: string, data: unknown): string => `event: ${name}\n${frame(data)}`

export const endFrame = 'data: [DONE]\n\n'

/** Waits; false where the signal cut the waiting short. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  // Listening to a signal costs more than a short sleep lasts.
  if (ms > 0 && ms < shortMs) await sleep(ms)
  else if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined)
  return !signal.aborted
}

const shortMs = 25

export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}

async function* encoded(frames: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of frames) yield encoder.encode(text)
}
