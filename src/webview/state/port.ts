// `Port`: exchanges messages with the extension, and validates them in both directions.
import * as z from 'zod/mini'
import { Emitter, type Event } from '../../base/event.ts'
import { clip } from '../../base/text.ts'
import { readHotEvent } from '../../protocol/hotEvent.ts'
import { objectOf, textOf } from '../../protocol/json.ts'
import { type FromPage, fromPage, type ToPage, toPage } from '../../protocol/panel.ts'

// Without `jitless`, zod tries `new Function`, which the Content Security Policy reports as a violation.
z.config({ jitless: true })

/** Limits the log of a page that fails in every frame. */
const maxReports = 50

export class Port {
  readonly #onMessage = new Emitter<ToPage>()
  readonly #api: { postMessage(message: unknown): void }
  #reportsLeft = maxReports

  constructor(api: { postMessage(message: unknown): void }) {
    this.#api = api
  }

  get onMessage(): Event<ToPage> {
    return this.#onMessage.event
  }

  /** Validates a received message and fires `onMessage`. */
  receive(data: unknown): void {
    const hot = readHotEvents(data)
    if (hot) return this.#onMessage.fire(hot)
    const read = toPage.safeParse(data)
    if (read.success) this.#onMessage.fire(read.data)
    else this.report(`A message to the page does not fit: ${misfit(data, read.error)}`)
  }

  send(message: FromPage): void {
    const read = fromPage.safeParse(message)
    if (read.success) this.#api.postMessage(read.data)
    else this.report(`A message from the page does not fit: ${misfit(message, read.error)}`)
  }

  report(text: string): void {
    if (this.#reportsLeft-- > 0) this.#api.postMessage({ kind: 'report', text: clip(text, 2_000) })
  }
}

/** The events of an answer that streams, which need no schema. */
function readHotEvents(data: unknown): ToPage | undefined {
  const record = objectOf(data)
  if (record?.['kind'] !== 'events' || textOf(record['conversation']) === '') return undefined
  const { confirm, events } = record
  const isConfirmed = confirm === undefined || typeof confirm === 'boolean'
  if (!isConfirmed || !Array.isArray(events) || !events.every(readHotEvent)) return undefined
  const { kind, conversation } = record
  // as: each member was checked.
  return { kind, conversation, events, ...(confirm === true && { confirm }) } as ToPage
}

/** The path and code of each issue, and not the values, because the log must not contain user text. */
function misfit(data: unknown, error: z.core.$ZodError): string {
  const kind = typeof data === 'object' && data !== null && 'kind' in data ? clip(String(data.kind), 40) : typeof data
  return `${kind} (${error.issues.map(issue => `${issue.path.join('.')} ${issue.code}`).join(', ')})`
}
