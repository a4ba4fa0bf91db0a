// `useAnnouncedAnswer`: has a screen reader read an answer while it comes, in finished sentences, and announces its end.
import { useEffect, useRef } from 'preact/hooks'
import type { AssistantMessage, Message } from '../state/messages.ts'
import type { Words } from '../words.ts'
import { answerEndings } from './answerEndings.ts'
import { nextSpeech } from './spokenText.ts'
import { useWords } from './wordsContext.ts'

/** The least time between two announcements, because each would interrupt or delay the one before. */
const PAUSE_MS = 2_000

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
  const before = useRef(last)
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
    const speech = lastSpeech(answer, to, words)
    // An answer that is announced whole has no end of its own.
    const end = to > 0 || speech === '' ? words.of('answerEnd') : ''
    const ending = answerEndings[answer.state]
    announce([speech, ending ? words.of(ending) : end].filter(one => one !== '').join(' '))
  }
  useEffect(() => {
    const answer = streamed(last)
    const current = spoken.current
    const asked = before.current
    before.current = last
    if (!answer) {
      if (last?.role !== 'assistant') return
      if (current?.id === last.id) end(last, current)
      // It was no message before its end, because nothing had come.
      else if (asked?.role === 'user' && asked.turn === last.turn) end(last, { id: last.id, to: 0, spokenAtMs: 0 })
      return
    }
    if (current?.id !== answer.id) spoken.current = { id: answer.id, to: 0, spokenAtMs: performance.now() }
    const spokenAtMs = spoken.current?.spokenAtMs ?? 0
    timer.current ??= setTimeout(speak, Math.max(0, spokenAtMs + PAUSE_MS - performance.now()))
  }, [last])
  useEffect(() => () => clearTimeout(timer.current), [])
}

/** What was not announced yet. */
function lastSpeech({ text, parts }: AssistantMessage, from: number, words: Words): string {
  const speech = nextSpeech(text, from, true, words).text
  if (from > 0) return speech
  if (speech !== '') return words.of('answered', { text: speech })
  const count = parts.filter(({ kind }) => kind === 'tool-call').length
  if (count === 0) return ''
  return count === 1 ? words.of('calledOne') : words.of('called', { count })
}

const streamed = (message: Message | undefined) =>
  message?.role === 'assistant' && message.state === 'streaming' ? message : undefined
