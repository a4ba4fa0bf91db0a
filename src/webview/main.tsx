// The entry point of the chat page: connects the port, the store, the words and the view.
import { render } from 'preact'
import { systemClock } from '../base/clock.ts'
import { faultText } from '../base/fault.ts'
import { PAGE_MESSAGES_ID, PAGE_STYLES_ID, PAGE_TEXT_ID, type PageText } from '../protocol/pageText.ts'
import type { ToPage } from '../protocol/panel.ts'
import { answerNext, askFormer } from './state/handOver.ts'
import { HistoryStore } from './state/historyStore.ts'
import { PageColours } from './state/pageColours.ts'
import { PageLinks } from './state/pageLinks.ts'
import { Port } from './state/port.ts'
import { readKept, Store } from './state/store.ts'
import { App } from './view/app.tsx'
import { ColoursContext } from './view/coloursContext.ts'
import { focusedMessage } from './view/focusedMessage.ts'
import { KeptFocus } from './view/keptFocus.ts'
import { connectScripts, receiveScript } from './view/lazyFile.ts'
import { LinksContext } from './view/linksContext.ts'
import { NearBlocks } from './view/nearBlocks.ts'
import { answerScaling } from './view/scaledImage.ts'
import { onThemeChange, shownTheme } from './view/shownTheme.ts'
import { StyleSheetRules } from './view/styleSheetRules.ts'
import { WordsContext } from './view/wordsContext.ts'
import { Words } from './words.ts'

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void
  getState(): unknown
  setState(state: unknown): void
}

adoptStyles()
const { page, formers } = document.body.dataset
const api = acquireVsCodeApi()
const port = new Port(api)
const store = new Store({
  send: message => {
    port.send(message)
    if (message.kind === 'send') colours.prepare()
  },
  keep: kept => api.setState({ ...kept, page }),
  kept: readKept(api.getState()),
  nextFrame: run => requestAnimationFrame(run),
  afterFrame,
  clock: systemClock,
})
const colours = new PageColours({
  clock: systemClock,
  rules: new StyleSheetRules(document),
  send: message => port.send(message),
  theme: () => shownTheme(document.body),
})
const links = new PageLinks({ clock: systemClock, send: message => port.send(message) })
const near = new NearBlocks()
const kept = new KeptFocus()
let sentFocus = false

const history = new HistoryStore({
  send: message => port.send({ kind: 'history', message }),
  showTurn: (conversation, turn) => store.showTurn(conversation, turn),
})

window.addEventListener('error', event => port.report(`The page failed: ${faultText(event.error ?? event.message)}`))
window.addEventListener('unhandledrejection', event => port.report(`The page failed: ${faultText(event.reason)}`))
document.addEventListener('securitypolicyviolation', event => {
  port.report(`The page's policy was violated: ${event.effectiveDirective} ${event.blockedURI}`)
})

port.onMessage(message => {
  if (message.kind === 'colours' || message.kind === 'theme') return colours.receive(message)
  if (message.kind === 'scale-image')
    return void answerScaling(message.request, message.base64, answer => port.send(answer))
  if (message.kind === 'links') return links.receive(message)
  if (message.kind === 'script') return receiveScript(message)
  if (message.kind === 'history') return history.receive(message.message)
  if (message.kind === 'read-focused') return store.read(focusedMessage(kept.element, store.shown.value.messages))
  // The composer takes the focus.
  if (message.kind === 'focus') history.hide()
  store.receive(message)
})
window.addEventListener('focus', () => sendFocus(true))
window.addEventListener('blur', () => sendFocus(document.hasFocus()))
// The event for the focus may have come before the page, which a key shows.
window.addEventListener('keydown', () => sentFocus || sendFocus(true), { capture: true })
onThemeChange(document.body, () => colours.restart())
window.addEventListener('message', event => {
  // Messages come from the editor's frame, which has the same origin; those of other origins are ignored.
  if (event.origin === window.origin) port.receive(event.data)
})

connectScripts(name => port.send({ kind: 'script', name }))
takeFirstMessages()
const root = document.getElementById('root')
if (root) {
  render(
    <WordsContext.Provider value={readWords()}>
      <ColoursContext.Provider value={{ page: colours, near }}>
        <LinksContext.Provider value={{ page: links, near }}>
          <App store={store} history={history} />
        </LinksContext.Provider>
      </ColoursContext.Provider>
    </WordsContext.Provider>,
    root,
  )
}
if (page) answerNext(page, () => api.getState())
if (formers) void takeOver(formers.split(' '))
else begin()

/**
 * The HTML is older than what the page has kept where that was kept in the same HTML: the editor creates the page anew from
 * it when the view is moved. Then the extension sends what is newer.
 */
function takeFirstMessages(): void {
  const messages: readonly ToPage[] = readElement(PAGE_MESSAGES_ID)
  const { conversation, page: keptIn } = readKept(api.getState())
  const isOfAnother = messages.some(message => message.kind === 'kept-draft' && message.conversation !== conversation)
  if (conversation !== '' && isOfAnother && keptIn === page) return
  store.receiveFirst(messages)
}

function begin(): void {
  port.send({ kind: 'ready' })
  if (document.hasFocus()) sendFocus(true)
}

/** Sends the extension what was written where it had ended. It then sends what this page shows. */
async function takeOver(pages: readonly string[]): Promise<void> {
  for (const kept of await Promise.all(pages.map(askFormer))) {
    if (!kept) continue
    const { conversation, draft: text, at, edits } = kept
    port.send({ kind: 'draft', conversation, text, at, edits })
  }
  begin()
}

function sendFocus(value: boolean): void {
  sentFocus = value
  port.send({ kind: 'focused', value })
}

/** A message is delivered after the frame, and sooner than a timer. */
function afterFrame(run: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    run()
  }
  port2.postMessage(undefined)
}

function readWords(): Words {
  const text: PageText = readElement(PAGE_TEXT_ID)
  return new Words(text)
}

/** Before all that measures something. */
function adoptStyles(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(readElement(PAGE_STYLES_ID))
  document.adoptedStyleSheets.push(sheet)
}

/** Not by a schema, because only the extension of the same build writes this document. */
function readElement(id: string) {
  return JSON.parse(document.getElementById(id)?.textContent ?? '')
}
