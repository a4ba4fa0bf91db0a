// Small sources and schedules for the tests of the replay.
import type { Schedule } from './schedule.ts'
import type { Source } from './source.ts'

/** A file whose text is typed from the first to the last character; `head` is there already. */
export function sourceOf(typed: string, { head = '', language = 'typescript' } = {}): Source {
  const text = head + typed
  return { path: 'a.ts', language, indent: '  ', text, start: head.length, end: text.length }
}

/** A key every 100 ms and no mistake but those given by their offset. */
export function steady(mistakes: Readonly<Record<number, { wrong: string; noticedAfter: number }>> = {}): Schedule {
  return { gapMs: () => 100, correctionGapMs: () => 100, mistakeAt: offset => mistakes[offset] }
}
