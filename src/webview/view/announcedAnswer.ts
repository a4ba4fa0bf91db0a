// `useAnnouncedAnswer`: has a screen reader read an answer while it comes, in finished sentences, and announces its end.
import { useEffect, useRef } from 'preact/hooks'
import { clip } from '../../base/text.ts'
import { visible } from '../markdown/visible.ts'
import type { AssistantMessage, Message } from '../state/messages.ts'
import { nextSpeech } from './spokenText.ts'
import { useWords } from './wordsContext.ts'

/** The least time between two announcements, because each would interrupt or delay the one before. */
const PAUSE_MS = 2_000
const LONGEST_CHARS = 1_000

interface Spoken {
  readonly id: string
  /** So many characters are announced. */
  to: number
  spokenAtMs: number
}

/** An answer that has ended before the first announcement is announced whole. */
export function useAnnouncedAnswer(messages: readonly Message[], announce: (text: string) => void): void {
  const words = useWords()
  const last = messages.at(-1)
  const spoken = useRef<Spoken>(undefined)
  const now = useRef(last)
  now.current = last
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const speak = () => {
    timer.current = undefined
    const answer = streamed(now.current)
    const current = spoken.current
    if (!answer || !current || answer.id !== current.id) return
    const { text, to } = nextSpeech(answer.text, current.to, false, words)
    current.to = to
    if (!text) return
    current.spokenAtMs = performance.now()
    announce(text)
  }
  const end = (answer: AssistantMessage, { to }: Spoken) => {
    clearTimeout(timer.current)
    timer.current = undefined
    spoken.current = undefined
    if (to === 0) return announce(words.of('answered', { text: visible(clip(answer.text, LONGEST_CHARS), words) }))
    const { text } = nextSpeech(answer.text, to, true, words)
    announce(text ? words.of('answerEndAfter', { text }) : words.of('answerEnd'))
  }
  useEffect(() => {
    const answer = streamed(last)
    const current = spoken.current
    if (!answer) {
      if (last?.role === 'assistant' && current?.id === last.id) end(last, current)
      return
    }
    if (current?.id !== answer.id) spoken.current = { id: answer.id, to: 0, spokenAtMs: performance.now() }
    const spokenAtMs = spoken.current?.spokenAtMs ?? 0
    timer.current ??= setTimeout(speak, Math.max(0, spokenAtMs + PAUSE_MS - performance.now()))
  }, [last])
  useEffect(() => () => clearTimeout(timer.current), [])
}

const streamed = (message: Message | undefined) =>
  message?.role === 'assistant' && message.state === 'streaming' ? message : undefined
