// `Transcript`: the scrollable list of messages; renders a few per frame, the newest first.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { clip } from '../../base/text.ts'
import { visible } from '../markdown/visible.ts'
import type { Message as MessageState } from '../state/messages.ts'
import type { PageState, Place, Store } from '../state/store.ts'
import { useAutoScroll } from './autoScroll.ts'
import { Icon } from './icon.tsx'
import { Message } from './message.tsx'
import { Working } from './messageParts.tsx'
import { useUndrawnCount } from './undrawnCount.ts'
import { Welcome } from './welcome.tsx'
import { useWords } from './wordsContext.ts'

const messagesPerFrame = 12
const announcedChars = 1_000

export function Transcript({ state, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const log = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const left = useUndrawnCount(state.messages.length, messagesPerFrame)
  const place = useRef(store.place).current
  const autoScroll = useAutoScroll(log, content, place, now => store.moveTo(now))
  useEndInstead(place, state.messages, autoScroll.toEnd)
  useSentToEnd(state.messages, autoScroll.toEnd)
  useAnnouncedEnds(state.messages, text => store.announce(text))
  const isWorking = state.activity.is === 'answering' && !isStreaming(state.messages.at(-1))
  const mayAsk = state.account.is === 'in' && (state.activity.is === 'idle' || state.activity.is === 'failed')
  const label = words.of('conversation')
  return (
    <div class="transcript">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too */}
      <div class="log" ref={log} role="log" aria-label={label} aria-relevant="additions" tabIndex={0}>
        <div class="messages" ref={content}>
          {state.messages.length === 0 && state.activity.is === 'idle' && <Welcome state={state} store={store} />}
          {state.messages.slice(left).map(message => (
            <Message
              key={message.id}
              message={message}
              store={store}
              mayAsk={mayAsk}
              isLast={message === state.messages.at(-1)}
            />
          ))}
          {isWorking && <Working />}
          <AskAgain state={state} store={store} />
        </div>
      </div>
      {!autoScroll.isAtEnd && state.messages.length > 0 && (
        <button
          type="button"
          class="latest"
          aria-label={words.of('latest')}
          title={words.of('latest')}
          onClick={autoScroll.toEnd}
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

/** Scrolls to the end when the user has sent a message. */
function useSentToEnd(messages: readonly MessageState[], toEnd: () => void): void {
  const newest = messages.findLast(message => message.role === 'user')?.id
  const before = useRef(newest)
  useLayoutEffect(() => {
    if (newest !== before.current) toEnd()
    before.current = newest
  }, [newest])
}

/** Announces an answer once, when it has ended, because the announcement of each delta could not be followed. */
function useAnnouncedEnds(messages: readonly MessageState[], announce: (text: string) => void): void {
  const words = useWords()
  const last = messages.at(-1)
  const streaming = useRef<string>(undefined)
  useEffect(() => {
    if (last?.role === 'assistant' && !isStreaming(last) && streaming.current === last.id) {
      announce(words.of('answered', { text: visible(clip(last.text, announcedChars), words) }))
    }
    streaming.current = isStreaming(last) ? last?.id : undefined
  }, [last])
}

/** Scrolls to the end if the message of the restored place does not exist any more. */
function useEndInstead(place: Place, messages: readonly MessageState[], toEnd: () => void): void {
  useLayoutEffect(() => {
    if (place !== 'end' && !messages.some(message => message.id === place.message)) toEnd()
  }, [])
}
