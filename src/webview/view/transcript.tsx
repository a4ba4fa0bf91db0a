// `Transcript`: the scrollable list of messages; only those around the visible ones are in the document.
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { ChatFont } from '../../protocol/panel.ts'
import type { Message as MessageState } from '../state/messages.ts'
import type { PageState, PendingQuestion as PendingState, Place, Store } from '../state/store.ts'
import { useAnnouncedAnswer } from './announcedAnswer.ts'
import { useAutoScroll } from './autoScroll.ts'
import { copySelection } from './copySelection.ts'
import { FindBar, useFindBar } from './findBar.tsx'
import { useFocusedMessage, useQuestionSteps } from './focusedMessage.ts'
import { Icon } from './icon.tsx'
import { Message } from './message.tsx'
import { useMessageKeys } from './messageKeys.ts'
import { Working } from './messageParts.tsx'
import { useMessageRows } from './messageRows.ts'
import { PendingQuestion } from './pendingQuestion.tsx'
import { FoundPartContext } from './useFold.ts'
import { SearchContext } from './useUnfolded.ts'
import { Welcome } from './welcome.tsx'
import { useWords } from './wordsContext.ts'

export function Transcript({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const log = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { messages } = state
  const place = useRef(store.place).current
  const isAtEnd = useRef(true)
  const { range, pxBefore, pxAfter, reveal, firstVisible } = useMessageRows({ log, content, messages, place, isAtEnd })
  const autoScroll = useAutoScroll(log, content, place, now => store.moveTo(now))
  isAtEnd.current = autoScroll.isAtEnd
  useLayoutEffect(autoScroll.settle, [range.from, range.to])
  const jumps = useJumps(messages, reveal, autoScroll.hold)
  useMessageKeys(log, jumps)
  const drawn = useMemo(() => messages.slice(range.from, range.to), [messages, range.from, range.to])
  useContentOf(drawn, store)
  useEndInstead(place, messages, jumps.toEnd)
  const pending = store.pending.value.filter(({ place }) => place === 'transcript')
  useSentToEnd(messages, pending, jumps.toEnd)
  useAnnouncedAnswer(messages, text => store.announce(text))
  const isAnswering = state.activity.is === 'answering' && !isStreaming(messages.at(-1))
  const isWorking = isAnswering || pending.length > 0
  const isEmpty = messages.length === 0 && pending.length === 0
  const mayAsk = state.account.is === 'in' && (state.activity.is === 'idle' || state.activity.is === 'failed')
  const label = words.of('conversation')
  useFocusedMessage(store, log, messages, reveal)
  useQuestionSteps(store, log, messages, firstVisible)
  const find = useFindBar(store)
  return (
    <div class="transcript">
      {find.isOpen && (
        <FindBar
          store={store}
          log={log}
          messages={messages}
          drawn={drawn}
          firstVisible={firstVisible}
          reveal={reveal}
          hold={autoScroll.hold}
          onClose={find.close}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      <div class="log" ref={log} role="log" aria-label={label} aria-relevant="additions" tabIndex={0}>
        <div class="messages" ref={content} style={styleOf(state.font)} onCopy={copySelection}>
          {isEmpty && state.activity.is === 'idle' && <Welcome state={state} store={store} />}
          {pxBefore > 0 && <div key="before" class="unseen-messages" style={{ height: `${pxBefore}px` }} />}
          <SearchContext.Provider value={store.searched}>
            <FoundPartContext.Provider value={store.foundPart}>
              {drawn.map(message => (
                <Message
                  key={message.id}
                  message={message}
                  store={store}
                  mayAsk={mayAsk}
                  isLast={message === messages.at(-1)}
                />
              ))}
            </FoundPartContext.Provider>
          </SearchContext.Provider>
          {pxAfter > 0 && <div key="after" class="unseen-messages" style={{ height: `${pxAfter}px` }} />}
          {pending.map(question => (
            <PendingQuestion key={question.number} question={question} store={store} />
          ))}
          {isWorking && <Working />}
          {pending.length === 0 && <AskAgain state={state} store={store} />}
        </div>
      </div>
      {!autoScroll.isAtEnd && !autoScroll.isEndInSight && messages.length > 0 && (
        <button
          type="button"
          class="latest"
          aria-label={words.of('latest')}
          title={words.of('latest')}
          onClick={jumps.toEnd}
        >
          <Icon name="down" />
        </button>
      )}
    </div>
  )
}

/** Shown if no request is running and nothing came in answer to the last question. No button while signed out. */
function AskAgain({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const last = state.messages.at(-1)
  if (state.activity.is !== 'idle' || last?.role !== 'user') return null
  return (
    <p class="ending">
      {`${words.of('unanswered')} `}
      {state.account.is === 'in' && (
        <button type="button" class="quiet" onClick={() => store.act('retry')}>
          {words.of('retry')}
        </button>
      )}
    </p>
  )
}

const isStreaming = (message: MessageState | undefined) =>
  message?.role === 'assistant' && message.state === 'streaming'

/** Draws the messages of a place before it is scrolled there. */
function useJumps(messages: readonly MessageState[], reveal: (index: number) => void, hold: (place: Place) => void) {
  const now = useRef(messages)
  now.current = messages
  return useMemo(() => {
    const to = (index: number) => {
      const message = now.current[index]
      if (!message) return
      reveal(index)
      hold({ message: message.id, offset: 0 })
    }
    const toEnd = () => {
      reveal(now.current.length - 1)
      hold('end')
    }
    return { toStart: () => to(0), toEnd }
  }, [])
}

const styleOf = (font: ChatFont | undefined) => ({
  ...(font?.sizePx && { fontSize: `${font.sizePx}px` }),
  ...(font?.family && { fontFamily: font.family }),
})

/** Requests the content of the drawn messages that is not in the page yet. */
function useContentOf(drawn: readonly MessageState[], store: Store): void {
  useEffect(() => {
    const turns = new Set(drawn.flatMap(({ lacks }) => lacks))
    if (turns.size > 0) store.request([...turns])
  })
}

/** Scrolls to the end when the user has sent a message, and again when it is in the conversation. */
function useSentToEnd(messages: readonly MessageState[], pending: readonly PendingState[], toEnd: () => void): void {
  const newest = messages.findLast(message => message.role === 'user')?.id
  const last = pending.at(-1)?.number
  const before = useRef({ newest, last })
  useLayoutEffect(() => {
    const isSent = last !== undefined && last !== before.current.last
    if (isSent || newest !== before.current.newest) toEnd()
    before.current = { newest, last }
  }, [newest, last])
}

/** Scrolls to the end if the message of the restored place does not exist any more. */
function useEndInstead(place: Place, messages: readonly MessageState[], toEnd: () => void): void {
  useLayoutEffect(() => {
    if (place !== 'end' && !messages.some(message => message.id === place.message)) toEnd()
  }, [])
}
