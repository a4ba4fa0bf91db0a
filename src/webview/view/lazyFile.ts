// `lazyFile`: loads a script of the extension, and its stylesheet, at the first use.
import { type LazyFiles, offered } from '../lazyFiles.ts'

/** The page's own script: the others lie beside it, and the page's policy admits them by the same nonce. */
const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined

/** Rejects if it cannot be loaded; a later call tries again. */
export async function lazyFile<Name extends keyof LazyFiles>(name: Name): Promise<LazyFiles[Name]> {
  const known = offered(name)
  if (known) return known
  const script = document.createElement('script')
  script.nonce = own?.nonce ?? ''
  script.src = addressOf(`${name}.js`)
  await loaded(script)
  const value = offered(name)
  if (!value) throw new Error(`The file ${name}.js offers nothing.`)
  return value
}

/** Resolves also if the stylesheet cannot be loaded, because what it styles can be read without it. */
export async function lazyStyle(name: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = addressOf(`${name}.css`)
  await loaded(link).catch(() => {})
}

const addressOf = (name: string) => new URL(name, own?.src ?? document.baseURI).href

function loaded(element: HTMLScriptElement | HTMLLinkElement): Promise<void> {
  return new Promise((resolve, reject) => {
    element.onload = () => resolve()
    element.onerror = () => {
      element.remove()
      reject(new Error('A file of the page could not be loaded.'))
    }
    document.head.append(element)
  })
}
