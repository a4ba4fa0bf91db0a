// `RunningCommands`: the commands that run in the background, above the composer.
import { sanitizeLine } from '../../base/text.ts'
import type { PageState, Store } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

export function RunningCommands({ state: { agent }, store }: { state: PageState; store: Store }) {
  const words = useWords()
  if (agent.commands.length === 0) return null
  return (
    <ul class="running-commands" aria-label={words.of('runningCommands')}>
      {agent.commands.map(({ id, command }) => (
        <li key={id} class="running-item">
          <Icon name="terminal" size={14} />
          <code class="running-command">{sanitizeLine(command, 200)}</code>
          <button type="button" class="quiet" onClick={() => store.showTerminal()}>
            {words.of('showTerminal')}
          </button>
          <button
            type="button"
            class="quiet"
            aria-label={words.of('stopCommand', { command: sanitizeLine(command, 80) })}
            onClick={() => store.stopCommand(id)}
          >
            {words.of('stop')}
          </button>
        </li>
      ))}
    </ul>
  )
}
