// The entry point of the chat page: connects the port, the store, the words and the view.
import { render } from 'preact'
import { systemClock } from '../base/clock.ts'
import { faultText } from '../base/fault.ts'
import { PAGE_TEXT_ID, type PageText } from '../protocol/pageText.ts'
import { Port } from './state/port.ts'
import { readKept, Store } from './state/store.ts'
import { App } from './view/app.tsx'
import { WordsContext } from './view/wordsContext.ts'
import { Words } from './words.ts'

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void
  getState(): unknown
  setState(state: unknown): void
}

const api = acquireVsCodeApi()
const port = new Port(api)
const store = new Store({
  send: message => port.send(message),
  keep: kept => api.setState(kept),
  kept: readKept(api.getState()),
  nextFrame: run => requestAnimationFrame(run),
  clock: systemClock,
})

window.addEventListener('error', event => port.report(`The page failed: ${faultText(event.error ?? event.message)}`))
window.addEventListener('unhandledrejection', event => port.report(`The page failed: ${faultText(event.reason)}`))
document.addEventListener('securitypolicyviolation', event => {
  port.report(`The page's policy was violated: ${event.effectiveDirective} ${event.blockedURI}`)
})

port.onMessage(message => store.receive(message))
window.addEventListener('message', event => {
  // Messages come from the editor's frame, which has the same origin; those of other origins are ignored.
  if (event.origin === window.origin) port.receive(event.data)
})

const root = document.getElementById('root')
if (root) {
  render(
    <WordsContext.Provider value={readWords()}>
      <App store={store} />
    </WordsContext.Provider>,
    root,
  )
}
port.send({ kind: 'ready' })

/** Not by a schema, because only the extension of the same build writes this document. */
function readWords(): Words {
  const text: PageText = JSON.parse(document.getElementById(PAGE_TEXT_ID)?.textContent ?? '')
  return new Words(text)
}
