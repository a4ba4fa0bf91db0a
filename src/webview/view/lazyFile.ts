// `lazyFile`: runs a script of the extension at the first use; `lazyStyle` loads its stylesheet.
import type { ScriptName, ToPage } from '../../protocol/panel.ts'
import { type LazyFiles, offered } from '../lazyFiles.ts'

/** The extension may be gone. */
const LIMIT_MS = 10_000

/** The page's own script: the page's policy admits the others by the same nonce. */
const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined

const asked = new Map<ScriptName, PromiseWithResolvers<string>>()
let ask: (name: ScriptName) => void = () => {}

/** `send`: requests a script from the extension. */
export function connectScripts(send: (name: ScriptName) => void): void {
  ask = send
}

/** Nothing is run that was not asked for. */
export function receiveScript({ name, text }: Extract<ToPage, { kind: 'script' }>): void {
  if (text === undefined) asked.get(name)?.reject(new Error(`The script ${name} cannot be read.`))
  else asked.get(name)?.resolve(text)
}

/** Rejects if it does not come; a later call tries again. */
export async function lazyFile<Name extends keyof LazyFiles>(name: Name): Promise<LazyFiles[Name]> {
  const known = offered(name)
  if (known) return known
  const text = await textOf(name)
  if (!offered(name)) run(text)
  const value = offered(name)
  if (!value) throw new Error(`The script ${name} offers nothing.`)
  return value
}

/** Resolves also if the stylesheet cannot be loaded, because what it styles can be read without it. */
export async function lazyStyle(name: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = new URL(`${name}.css`, new URL(document.body.dataset['files'] ?? '', document.baseURI)).href
  await new Promise<void>(resolve => {
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      resolve()
    }
    document.head.append(link)
  })
}

function textOf(name: ScriptName): Promise<string> {
  const known = asked.get(name)
  if (known) return known.promise
  const answer = Promise.withResolvers<string>()
  asked.set(name, answer)
  const timer = setTimeout(() => answer.reject(new Error(`The script ${name} does not come.`)), LIMIT_MS)
  ask(name)
  return answer.promise.finally(() => {
    clearTimeout(timer)
    asked.delete(name)
  })
}

/** At once, because it is within the element. */
function run(text: string): void {
  const script = document.createElement('script')
  script.nonce = own?.nonce ?? ''
  script.textContent = text
  document.head.append(script)
  script.remove()
}
