// Reads and writes what the editor keeps as secrets, which code-server seals into the browser's own storage.
import type { BrowserContext } from '@playwright/test'

/** One extension's secret, as the editor names it. */
export function secretName(extensionId: string, key: string): string {
  return JSON.stringify({ extensionId, key })
}

/** Replaces all secrets of this browser context; only before its first window opens. */
export async function seedSecrets(
  context: BrowserContext,
  editorUrl: string,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  await onSomePage(context, editorUrl, page => page.evaluate(seal, JSON.stringify(secrets)))
}

/** All secrets of this browser context, by `secretName`. */
export async function readSecrets(context: BrowserContext, editorUrl: string): Promise<Record<string, string>> {
  const text = await onSomePage(context, editorUrl, page => page.evaluate(unseal))
  return JSON.parse(text) as Record<string, string>
}

type Page = Awaited<ReturnType<BrowserContext['newPage']>>

/** Any window of the editor will do, and else a page of its origin. */
async function onSomePage<T>(context: BrowserContext, editorUrl: string, use: (page: Page) => Promise<T>): Promise<T> {
  const open = context.pages().find(page => page.url().startsWith(`${editorUrl}/`))
  if (open) return use(open)
  const page = await context.newPage()
  try {
    await page.goto(`${editorUrl}/manifest.json`)
    return await use(page)
  } finally {
    await page.close()
  }
}

// The next two run in the page: half of the key lies in the sealed text, the server mints the other half.

async function seal(text: string): Promise<void> {
  const half = new Uint8Array(await (await fetch('/mint-key', { method: 'POST' })).arrayBuffer())
  const mine = crypto.getRandomValues(new Uint8Array(32))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const raw = mine.map((byte, at) => byte ^ (half[at] ?? 0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'AES-GCM', length: 256 }, true, ['encrypt'])
  const body = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text))
  const sealed = String.fromCharCode(...mine, ...iv, ...new Uint8Array(body))
  const page = globalThis as unknown as { localStorage: { setItem(name: string, value: string): void } }
  page.localStorage.setItem('secrets.provider', btoa(sealed))
}

async function unseal(): Promise<string> {
  const page = globalThis as unknown as { localStorage: { getItem(name: string): string | null } }
  const stored = page.localStorage.getItem('secrets.provider')
  if (!stored) return '{}'
  const sealed = Uint8Array.from(atob(stored), letter => letter.charCodeAt(0))
  const half = new Uint8Array(await (await fetch('/mint-key', { method: 'POST' })).arrayBuffer())
  const raw = sealed.slice(0, 32).map((byte, at) => byte ^ (half[at] ?? 0))
  const key = await crypto.subtle.importKey('raw', raw, { name: 'AES-GCM', length: 256 }, true, ['decrypt'])
  const body = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.slice(32, 44) }, key, sealed.slice(44))
  return new TextDecoder().decode(body)
}
