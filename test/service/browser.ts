// A browser small enough to read: it keeps cookies, follows redirects, and fills in forms as they are in the page.
import { type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface LoadedPage {
  readonly url: URL
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly html: string
  /** What a person reads: no tags, entities resolved. */
  readonly words: string
}

export class Browser {
  readonly #cookies = new Map<string, string>()
  readonly setCookies: string[] = []
  #page: LoadedPage | undefined

  get page(): LoadedPage {
    if (!this.#page) throw new Error('No page is open.')
    return this.#page
  }

  open(url: string): Promise<LoadedPage> {
    return this.#go('GET', new URL(url))
  }

  /** Presses a button: sends its form with what the page put in, what is typed, and the button itself. */
  press(
    button: string,
    typed: Readonly<Record<string, string>> = {},
    /** What a page made by somebody else would change. */
    changed: Readonly<Record<string, string>> = {},
    otherAction?: string,
  ) {
    const { html, url } = this.page
    const form = [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].find(match =>
      buttonIn(match[2] ?? '', button),
    )
    const pressed = form && buttonIn(form[2] ?? '', button)
    if (!form || !pressed) throw new Error(`The page has no button '${button}': ${this.page.words}`)
    const fields = new URLSearchParams()
    for (const [, name = '', value = ''] of (form[2] ?? '').matchAll(
      /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
    ))
      fields.set(name, unescaped(value))
    for (const label of Object.keys(typed)) fields.set(nameOf(html, label), typed[label] ?? '')
    fields.set(pressed.name, pressed.value)
    for (const name of Object.keys(changed)) fields.set(name, changed[name] ?? '')
    return this.#go('POST', new URL(otherAction ?? unescaped(form[1] ?? ''), url), fields)
  }

  /** Opens the link with these words. */
  follow(words: string): Promise<LoadedPage> {
    const links = [...this.page.html.matchAll(/<a[^>]*href="([^"]*)"[^>]*>([^<]*)</g)]
    const link = links.find(([, , text = '']) => unescaped(text).trim() === words)
    if (!link) throw new Error(`The page has no link '${words}': ${this.page.words}`)
    return this.#go('GET', new URL(unescaped(link[1] ?? ''), this.page.url))
  }

  /** From any page of the account to the dashboard, by the link that would go out by mail. */
  async signIn(siteUrl: string, email: string, path = '/dashboard'): Promise<LoadedPage> {
    await this.open(siteUrl + path)
    await this.press('Sign in', { Email: email })
    return this.follow(`Sign in as ${email}`)
  }

  hasButton(name: string): boolean {
    return buttonIn(this.page.html, name) !== undefined
  }

  async #go(method: string, url: URL, form?: URLSearchParams): Promise<LoadedPage> {
    const shown = await this.#fetch(method, url, form)
    const { location } = shown.headers
    const next = location === undefined ? undefined : new URL(location, url)
    if (next?.host === url.host) return this.#go('GET', next)
    // Also an answer that leads away from the service: the test looks at where to.
    this.#page = shown
    return shown
  }

  #fetch(method: string, url: URL, form?: URLSearchParams): Promise<LoadedPage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const type = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
    // Node does not know that every name under localhost is this machine; a browser does.
    const address = { host: '127.0.0.1', port: url.port, path: url.pathname + url.search }
    return new Promise((resolve, reject) => {
      const sent = request({ ...address, method, headers: { ...type, cookie, host: url.host } }, async answer => {
        for (const line of answer.headers['set-cookie'] ?? []) this.#keep(line)
        const html = await text(answer)
        const words = unescaped(
          html.replace(/<\/?(?:strong|code)[^>]*>/g, '').replace(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' '),
        ).replace(/\s+/g, ' ')
        resolve({ url, status: answer.statusCode ?? 0, headers: answer.headers, html, words })
      })
      sent.on('error', reject)
      sent.end(form?.toString())
    })
  }

  #keep(line: string): void {
    this.setCookies.push(line)
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    this.#cookies.set(name, value)
  }
}

function buttonIn(html: string, wanted: string): { name: string; value: string } | undefined {
  const buttons = [...html.matchAll(/<button[^>]*name="([^"]*)" value="([^"]*)"([^>]*)>([^<]*)</g)]
  const match = buttons.find(([, , , more = '', words = '']) => {
    const label = /aria-label="([^"]*)"/.exec(more)?.[1] ?? words
    return unescaped(label).trim() === wanted
  })
  return match && { name: match[1] ?? '', value: match[2] ?? '' }
}

/** The name of the input that a label belongs to. */
function nameOf(html: string, label: string): string {
  const id = new RegExp(`<label for="([^"]*)">${label}</label>`).exec(html)?.[1]
  const name = new RegExp(`<input[^>]*id="${id}"[^>]*>`).exec(html)?.[0].match(/name="([^"]*)"/)?.[1]
  if (name === undefined) throw new Error(`The page has no input labelled '${label}'.`)
  return name
}

const unescaped = (text: string) =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
