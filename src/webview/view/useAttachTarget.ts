// `useAttachTarget`: what attaches what is pasted, dropped and picked to one unsent message.
import { useMemo } from 'preact/hooks'
import type { Attachments } from '../state/attachments.ts'
import type { Store } from '../state/store.ts'
import type { AttachTarget } from './attach.ts'
import { useWords } from './wordsContext.ts'

export function useAttachTarget(store: Store, attachments: Attachments): AttachTarget {
  const words = useWords()
  return useMemo(() => {
    const onRefusals = (sentences: readonly string[]) => store.showRefusals(sentences)
    return { attachments, words, onRefusals }
  }, [store, attachments, words])
}
