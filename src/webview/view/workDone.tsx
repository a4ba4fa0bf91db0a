// `WorkDone`: what a turn with tools has done, in counts, from the conversation and not from the model.
import type { AssistantMessage } from '../state/messages.ts'
import type { Words } from '../words.ts'
import { useWords } from './wordsContext.ts'

export function WorkDone({ message }: { message: AssistantMessage }) {
  const words = useWords()
  const counts = countsOf(message, words)
  if (counts.length === 0) return null
  return (
    <ul class="work-done muted small" aria-label={words.of('workDone')}>
      {counts.map(text => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

/** Nothing for an answer without calls of tools. */
function countsOf({ parts, requests }: AssistantMessage, words: Words): string[] {
  const calls = parts.filter(part => part.kind === 'tool-call')
  if (calls.length === 0) return []
  const files = parts.flatMap(part => (part.kind === 'change-set' ? part.files : []))
  const changed = (change: string) => files.filter(file => file.change === change).length
  const commands = calls.filter(({ name, result }) => name === 'run_command' && result?.outcome === 'ok').length
  const counts = [
    [changed('modified') + changed('renamed'), 'filesChanged'],
    [changed('created'), 'filesCreated'],
    [changed('deleted'), 'filesDeleted'],
    [commands, 'commandsRun'],
    [requests, 'requestsSent'],
  ] as const
  return counts.flatMap(([count, name]) => {
    if (count === 0) return []
    return [count === 1 ? words.of(`${name}One`) : words.of(name, { count })]
  })
}
