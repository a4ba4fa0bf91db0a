// A point in time, in UTC, as people and programs read it.
import { html } from 'hono/html'
import type { Html } from '../page.ts'

export function timestamp(at: number): Html {
  const iso = new Date(at).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`
}
