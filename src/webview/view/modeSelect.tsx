// `ModeSelect`: selects what the model may do without a question, below the composer.
import type { ModeId } from '../../protocol/panel.ts'
import type { PageState, Store } from '../state/store.ts'
import { Icon } from './icon.tsx'
import { useWords } from './wordsContext.ts'

const names = { ask: 'modeAsk', plan: 'modePlan', edit: 'modeEdit', sandbox: 'modeSandbox' } as const
const helps = { ask: 'modeAskHelp', plan: 'modePlanHelp', edit: 'modeEditHelp', sandbox: 'modeSandboxHelp' } as const

/** Where the model has no tools because no folder is open, the button that opens one; nothing where it has none at all. */
export function ModeSelect({ state: { agent, lacksFolder }, store }: { state: PageState; store: Store }) {
  const words = useWords()
  const { modes, mode } = agent
  if (modes.length === 0) return lacksFolder ? <NoFolder store={store} /> : null
  const shown = modes.includes(mode) ? modes : [mode, ...modes]
  return (
    <span class="mode-place">
      <select
        class="mode"
        aria-label={words.of('mode')}
        title={words.of(helps[mode])}
        value={mode}
        onChange={event => {
          const selected = modes.find(one => one === event.currentTarget.value)
          if (selected) store.setMode(selected)
        }}
      >
        {shown.map((one: ModeId) => (
          <option key={one} value={one} title={words.of(helps[one])}>
            {words.of(names[one])}
          </option>
        ))}
      </select>
      <Icon name="more" size={12} />
    </span>
  )
}

function NoFolder({ store }: { store: Store }) {
  const words = useWords()
  const help = words.of('noFolderHelp')
  return (
    <button
      type="button"
      class="mode no-folder"
      aria-description={help}
      title={help}
      onClick={() => store.act('open-folder')}
    >
      {words.of('noFolder')}
    </button>
  )
}
