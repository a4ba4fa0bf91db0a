// Writes an answer by hand, byte by byte where need be, so that it can end in ways that no server means to.
import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from './clock.ts'
import { socketBelow } from './listener.ts'
import type { Answer } from './spoil.ts'
import { untilAborted } from './stream.ts'

export interface Ending {
  readonly how: 'reset' | 'cut' | 'stall' | 'half-open'
  /** Where in the body; one that is shorter ends well. */
  readonly afterBytes: number
}

export interface SlowHeaders {
  readonly everyMs: number
  readonly clock: Clock
}

export interface Sending {
  readonly outgoing: ServerResponse
  readonly socket: Socket
  /** Aborted when the connection is no more. */
  readonly ended: AbortSignal
  readonly ending: Ending | undefined
  readonly slowHeaders: SlowHeaders | undefined
}

export async function send(answer: Answer, sending: Sending): Promise<void> {
  const { ended, ending } = sending
  const sink = sending.slowHeaders ? await slowSink(answer, sending, sending.slowHeaders) : usualSink(answer, sending)
  let left = ending?.afterBytes ?? Number.POSITIVE_INFINITY
  const chunks = answer.body[Symbol.asyncIterator]()
  while (left > 0 && !ended.aborted) {
    const { value, done } = await chunks.next()
    if (done) break
    await sink.write(value.subarray(0, left))
    left -= value.length
    // The system takes small pieces at once, for long enough to keep everybody else in this process waiting.
    await turn()
  }
  if (!ending || left > 0) sink.end()
  else await end(ending, sending)
  // Only now, since what is cut short may hold something that is to stay held: a slot of the plan.
  await chunks.return?.(undefined)
}

/** The bytes as they are, and the end of the connection. */
export async function sendRaw(socket: Socket, bytes: Uint8Array): Promise<void> {
  await write(socket, bytes)
  socket.destroySoon()
}

export function hangUp(socket: Socket, by: 'reset' | 'close'): void {
  if (by === 'reset') socketBelow(socket).resetAndDestroy()
  else socket.destroySoon()
}

/** From here on the caller's own hanging up is not noticed, so it gets no answer either. */
export function deafen(socket: Socket): void {
  for (const one of [socket, socketBelow(socket)]) {
    one.allowHalfOpen = true
    one.removeAllListeners('end')
  }
}

async function end({ how }: Ending, { socket, ended }: Sending): Promise<void> {
  // What was written before still goes out, and only the rest breaks off.
  await write(socket, new Uint8Array())
  if (how === 'reset') hangUp(socket, 'reset')
  if (how === 'cut') hangUp(socket, 'close')
  if (how === 'half-open') deafen(socket)
  await untilAborted(ended)
}

interface Sink {
  /** Settles when the bytes have left the process. */
  write(chunk: Uint8Array): Promise<void>
  end(): void
}

function usualSink({ status, headers }: Answer, { outgoing }: Sending): Sink {
  outgoing.writeHead(status, fieldsOf(headers))
  outgoing.flushHeaders()
  return { write: chunk => write(outgoing, chunk), end: () => outgoing.end() }
}

/** Past Node's own writer, which knows headers only as a whole; the end of the connection ends the body. */
async function slowSink(answer: Answer, { outgoing, socket, ended }: Sending, slow: SlowHeaders): Promise<Sink> {
  const { status, headers } = answer
  const fields = { date: String(outgoing.getHeader('date')), ...fieldsOf(headers), connection: 'close' }
  const lines = Object.entries(fields).flatMap(([name, values]) => [values].flat().map(value => `${name}: ${value}`))
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n')
  let due = slow.clock.now()
  for (const byte of Buffer.from(head, 'latin1')) {
    due += slow.everyMs
    if (!(await slow.clock.until(due, ended))) break
    await write(socket, Uint8Array.of(byte))
  }
  return { write: chunk => write(socket, chunk), end: () => socket.destroySoon() }
}

function fieldsOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  headers.delete('set-cookie')
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}

interface Writable {
  write(chunk: Uint8Array, done: () => void): boolean
}

const write = (to: Writable, chunk: Uint8Array) => new Promise<void>(resolve => void to.write(chunk, () => resolve()))
