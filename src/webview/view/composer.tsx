// `Composer`: the text box for a message, with what is attached, the model button and the send or stop button.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import { type PageState, type Store, shownUse } from '../state/store.ts'
import { AddButtons } from './addButtons.tsx'
import { onPaste, takeDrop } from './attach.ts'
import { Chips } from './chips.tsx'
import { ContextMeter } from './contextMeter.tsx'
import { DropArea } from './dropArea.tsx'
import { Icon, StopIcon } from './icon.tsx'
import { isSendKey } from './isSendKey.ts'
import { ModeSelect } from './modeSelect.tsx'
import { SuggestionList } from './suggestionList.tsx'
import { useAttachTarget } from './useAttachTarget.ts'
import { usePastPrompts } from './usePastPrompts.ts'
import { SUGGESTIONS_ID, useSuggestions } from './useSuggestions.ts'
import { useWords } from './wordsContext.ts'

const maxChars = 2_000_000

export function Composer({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const box = useRef<HTMLTextAreaElement>(null)
  const isFirst = useRef(true)
  const { attachments } = store
  const target = useAttachTarget(store, attachments)
  const suggestions = useSuggestions(store, attachments, box, () => ask())
  const past = usePastPrompts(state, store, box)
  const draft = store.draft.value
  const { activity } = state
  const isElsewhere = activity.is === 'answering' && activity.isElsewhere === true
  const isAnswering = (activity.is === 'answering' && !isElsewhere) || (activity.is === 'waiting' && !activity.maySend)
  const isBusy = isAnswering || store.pending.value.length > 0
  // While an answer comes, a message is queued.
  const hasContent = draft.trim() !== '' || state.chips.some(({ isAutomatic }) => !isAutomatic)
  const maySend = state.account.is === 'in' && hasContent && !isElsewhere
  // A layout effect, so that keys typed right after the render go into the text box.
  useLayoutEffect(() => {
    if (!isFirst.current || state.focusCount > 0) box.current?.focus()
    isFirst.current = false
  }, [state.focusCount, store.composerFocusCount.value])

  const ask = () => {
    suggestions.close()
    store.ask()
    box.current?.focus()
  }
  const send = () => {
    if (maySend) ask()
  }
  const stop = () => {
    store.stop()
    box.current?.focus()
  }
  const onDrop = (data: DataTransfer, element: HTMLTextAreaElement) => {
    takeDrop(data, element, target)
    element.focus()
  }
  const onBlur = () => {
    suggestions.close()
    store.saveDraft()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (suggestions.onKeyDown(event) || past.onKeyDown(event)) return
    if (!isSendKey(event, state.sendOnEnter)) return
    event.preventDefault()
    send()
  }
  return (
    <div class="composer">
      <DropArea box={box} onDrop={onDrop} />
      <SuggestionList suggestions={suggestions} />
      <Chips chips={state.chips} offers={state.offers} store={store} attachments={attachments} />
      <textarea
        ref={box}
        aria-label={words.of('message')}
        aria-description={hasScreenReader() ? words.of('messageHelp') : undefined}
        aria-autocomplete="list"
        aria-controls={suggestions.isOpen ? SUGGESTIONS_ID : undefined}
        aria-activedescendant={suggestions.activeId}
        placeholder={words.of(state.messages.length === 0 ? 'ask' : 'askFollowUp')}
        rows={1}
        maxLength={maxChars}
        value={draft}
        onInput={event => {
          store.write(event.currentTarget.value)
          suggestions.update()
          past.forget()
        }}
        onSelect={suggestions.update}
        onBlur={onBlur}
        onPaste={event => onPaste(event, target)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-bar">
        <AddButtons onMention={suggestions.begin} target={target} />
        <ModeSelect state={state} store={store} />
        <div class="composer-end">
          <ModelButton id={state.model} store={store} />
          <span class="composer-space" />
          <ContextMeter use={shownUse(state)} store={store} />
          {isBusy && (
            <button
              key="stop"
              type="button"
              class={hasContent ? 'stop' : 'send'}
              aria-label={words.of('stop')}
              title={words.of('stopByEscape')}
              onClick={stop}
            >
              <StopIcon />
            </button>
          )}
          {(!isBusy || hasContent) && (
            <button
              key="send"
              type="button"
              class="send"
              aria-label={words.of('send')}
              title={words.of(sendTitle(isBusy, state.sendOnEnter))}
              disabled={!maySend}
              onClick={send}
            >
              <Icon name="send" />
            </button>
          )}
        </div>
      </div>
    </div>
  )
}

/** The editor sets it, by a setting or because it has noticed one. */
const hasScreenReader = () => document.body.classList.contains('vscode-using-screen-reader')

function sendTitle(isBusy: boolean, sendOnEnter: boolean) {
  if (sendOnEnter) return isBusy ? 'queueByEnter' : 'sendByEnter'
  if (isMac()) return isBusy ? 'queueByCmdEnter' : 'sendByCmdEnter'
  return isBusy ? 'queueByCtrlEnter' : 'sendByCtrlEnter'
}

/** That of the page, because the extension may run on another machine. */
const isMac = () => navigator.userAgent.includes('Macintosh')

function ModelButton({ id, store }: { id: string | undefined; store: Store }) {
  const words = useWords()
  const name = id && sanitizeLine(id, 80)
  const label = name ? words.of('model', { name }) : words.of('selectModel')
  return (
    <button type="button" class="model" aria-label={label} title={label} onClick={() => store.act('select-model')}>
      <span class="model-name">{name || words.of('selectModel')}</span>
      <Icon name="more" size={12} />
    </button>
  )
}
