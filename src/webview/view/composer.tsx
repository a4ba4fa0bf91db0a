// `Composer`: the text box for a question, with the model button and the send or stop button.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { PageState, Store } from '../state/store.ts'
import { Icon, StopIcon } from './icon.tsx'

const maxChars = 2_000_000

export function Composer({ state, store }: { state: PageState; store: Store }) {
  const box = useRef<HTMLTextAreaElement>(null)
  const isFirst = useRef(true)
  const draft = store.draft.value
  const { activity } = state
  const isBusy = activity.is === 'answering' || (activity.is === 'waiting' && !activity.maySend)
  const maySend = !isBusy && state.account.is === 'in' && draft.trim() !== ''
  // A layout effect, so that keys typed right after the render go into the text box.
  useLayoutEffect(() => {
    if (!isFirst.current || state.focusCount > 0) box.current?.focus()
    isFirst.current = false
  }, [state.focusCount, store.suggestionCount.value])

  const send = () => {
    if (!maySend) return
    store.ask()
    box.current?.focus()
  }
  const stop = () => {
    store.stop()
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isSendKey(event, state.sendOnEnter)) return
    event.preventDefault()
    send()
  }
  return (
    <div class="composer">
      <textarea
        ref={box}
        aria-label="Message"
        placeholder={state.messages.length === 0 ? 'Ask anything' : 'Ask a follow-up'}
        rows={1}
        maxLength={maxChars}
        value={draft}
        onInput={event => store.write(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-bar">
        <ModelButton id={state.model} store={store} />
        {isBusy ? (
          <button key="stop" type="button" class="send" aria-label="Stop" title="Stop (Escape)" onClick={stop}>
            <StopIcon />
          </button>
        ) : (
          <button
            key="send"
            type="button"
            class="send"
            aria-label="Send"
            title={state.sendOnEnter ? 'Send (Enter)' : 'Send (Ctrl+Enter)'}
            disabled={!maySend}
            onClick={send}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </div>
  )
}

/** False while an input method composes, because its Enter selects a word. Key code 229 reports that as well. */
function isSendKey(event: KeyboardEvent, sendOnEnter: boolean): boolean {
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return false
  if (event.ctrlKey || event.metaKey) return true
  return sendOnEnter && !event.shiftKey && !event.altKey
}

function ModelButton({ id, store }: { id: string | undefined; store: Store }) {
  const name = id ? sanitizeLine(id, 80) : 'none'
  return (
    <button
      type="button"
      class="model"
      aria-label={`Model: ${name}`}
      title={`Model: ${name}`}
      onClick={() => store.act('select-model')}
    >
      <span class="model-name">{id ? name : 'Select a model'}</span>
      <Icon name="more" size={12} />
    </button>
  )
}
