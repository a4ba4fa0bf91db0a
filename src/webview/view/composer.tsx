// `Composer`: the text box for a message, with what is attached, the model button and the send or stop button.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import { type PageState, type Store, shownUse } from '../state/store.ts'
import { attachFiles, onDrop, onPaste } from './attach.ts'
import { Chips } from './chips.tsx'
import { ContextMeter } from './contextMeter.tsx'
import { Icon, StopIcon } from './icon.tsx'
import { ModeSelect } from './modeSelect.tsx'
import { SuggestionList } from './suggestionList.tsx'
import { usePastPrompts } from './usePastPrompts.ts'
import { SUGGESTIONS_ID, useSuggestions } from './useSuggestions.ts'
import { useWords } from './wordsContext.ts'

const maxChars = 2_000_000

export function Composer({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const box = useRef<HTMLTextAreaElement>(null)
  const isFirst = useRef(true)
  const [isDropTarget, setDropTarget] = useState(false)
  const suggestions = useSuggestions(state, store, box, () => ask())
  const past = usePastPrompts(state, store, box)
  const draft = store.draft.value
  const { activity } = state
  const isElsewhere = activity.is === 'answering' && activity.isElsewhere === true
  const isBusy = (activity.is === 'answering' && !isElsewhere) || (activity.is === 'waiting' && !activity.maySend)
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
    // biome-ignore lint/a11y/noStaticElementInteractions: files are also attached by the buttons in it
    <div
      class={isDropTarget ? 'composer drop-target' : 'composer'}
      onDragOver={event => {
        event.preventDefault()
        setDropTarget(true)
      }}
      onDragLeave={() => setDropTarget(false)}
      onDrop={event => {
        setDropTarget(false)
        onDrop(event, store, words)
      }}
    >
      <SuggestionList suggestions={suggestions} />
      <Chips state={state} store={store} />
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
        onPaste={event => onPaste(event, store, words)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-bar">
        <AddButton isImage={false} onClick={suggestions.begin} />
        <ImageButton store={store} />
        <ModeSelect state={state} store={store} />
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
  )
}

/** The editor sets it, by a setting or because it has noticed one. */
const hasScreenReader = () => document.body.classList.contains('vscode-using-screen-reader')

function sendTitle(isBusy: boolean, sendOnEnter: boolean) {
  if (isBusy) return sendOnEnter ? 'queueByEnter' : 'queueByCtrlEnter'
  return sendOnEnter ? 'sendByEnter' : 'sendByCtrlEnter'
}

/** False while an input method composes, because its Enter selects a word. Key code 229 reports that as well. */
function isSendKey(event: KeyboardEvent, sendOnEnter: boolean): boolean {
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return false
  if (event.ctrlKey || event.metaKey) return true
  return sendOnEnter && !event.shiftKey && !event.altKey
}

function AddButton({ isImage, onClick }: { isImage: boolean; onClick: () => void }) {
  const words = useWords()
  const label = words.of(isImage ? 'attachImage' : 'addContext')
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={isImage ? 'image' : 'attach'} />
    </button>
  )
}

function ImageButton({ store }: { store: Store }) {
  const words = useWords()
  const input = useRef<HTMLInputElement>(null)
  const pick = () => {
    const files = [...(input.current?.files ?? [])]
    if (input.current) input.current.value = ''
    void attachFiles(files, store, words)
  }
  return (
    <>
      <input ref={input} type="file" accept="image/*" multiple hidden onChange={pick} />
      <AddButton isImage onClick={() => input.current?.click()} />
    </>
  )
}

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
