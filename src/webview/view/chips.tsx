// `Chips`: what is attached to the message, and what is offered to be attached; `ChipIcon`: the icon of its kind.
import { sanitizeLine } from '../../base/text.ts'
import type { Chip, OfferedChip, SuggestionItem } from '../../protocol/draft.ts'
import type { PageState, Store } from '../state/store.ts'
import { Icon, type IconName } from './icon.tsx'
import { shortCount } from './shortCount.ts'
import { useWords } from './wordsContext.ts'

export function Chips({ state: { chips, offers }, store }: { state: PageState; store: Store }) {
  const words = useWords()
  if (chips.length === 0 && offers.length === 0) return null
  return (
    <div class="chips">
      <ChipList label={words.of('automaticContext')} chips={chips.filter(isAutomatic)} store={store} />
      <ChipList label={words.of('context')} chips={chips.filter(chip => !isAutomatic(chip))} store={store} />
      {offers.map(offer => (
        <OfferButton key={offer.offer} offer={offer} store={store} />
      ))}
    </div>
  )
}

const isAutomatic = (chip: Chip) => chip.isAutomatic === true

function ChipList({ label, chips, store }: { label: string; chips: readonly Chip[]; store: Store }) {
  if (chips.length === 0) return null
  return (
    <ul class="chip-list" aria-label={label}>
      {chips.map(chip => (
        <AttachedChip key={chip.id} chip={chip} store={store} />
      ))}
    </ul>
  )
}

function AttachedChip({ chip, store }: { chip: Chip; store: Store }) {
  const words = useWords()
  const { id, kind, state, tokens, problem, notice, warning } = chip
  const seen = problem ?? warning
  const name = sanitizeLine(chip.label, 120) || words.of('image')
  const detail = chip.detail && sanitizeLine(chip.detail, 200)
  const first = chip.isAutomatic ? words.of('automaticNamed', { name }) : ''
  const size = tokens === undefined ? '' : words.of('tokens', { count: shortCount(tokens) })
  const title = [first, detail, size, problem, warning, problem ? '' : notice].filter(text => text).join('\n') || name
  return (
    <li class={chip.isAutomatic ? `chip automatic ${state}` : `chip ${state}`}>
      <button type="button" class="chip-name" title={sanitizeLines(title)} onClick={() => store.openChip(id)}>
        <ChipIcon kind={kind} />
        <span>{name}</span>
        <ChipSize state={state} tokens={tokens} />
        {notice && (
          <span class="chip-warning" aria-hidden="true">
            !
          </span>
        )}
      </button>
      {seen && <span class="chip-problem">{sanitizeLine(seen, 400)}</span>}
      {!problem && notice && <span class="unseen">{sanitizeLine(notice, 400)}</span>}
      <button
        type="button"
        class="icon-button"
        aria-label={words.of('removeNamed', { name })}
        title={words.of('removeNamed', { name })}
        onClick={() => store.removeChip(id)}
      >
        <Icon name="close" size={12} />
      </button>
    </li>
  )
}

const sanitizeLines = (text: string) =>
  text
    .split('\n')
    .map(line => sanitizeLine(line, 400))
    .join('\n')

function ChipSize({ state, tokens }: Pick<Chip, 'state' | 'tokens'>) {
  const words = useWords()
  if (state === 'reading') return <span class="chip-size">{words.of('reading')}</span>
  if (tokens === undefined) return null
  return <span class="chip-size">{words.of('tokens', { count: shortCount(tokens) })}</span>
}

/** Dashed, because it is not sent before it is added. */
function OfferButton({ offer: { offer, kind, label, detail }, store }: { offer: OfferedChip; store: Store }) {
  const words = useWords()
  const name = sanitizeLine(label, 120)
  const title = words.of('attachNamed', { name })
  return (
    <button
      type="button"
      class="chip offered"
      aria-label={title}
      title={detail ? `${title}\n${sanitizeLine(detail, 200)}` : title}
      onClick={() => store.takeOffer(offer)}
    >
      <Icon name="add" size={12} />
      <ChipIcon kind={kind} />
      <span>{name}</span>
    </button>
  )
}

const icons: Readonly<Record<SuggestionItem['kind'], IconName>> = {
  file: 'file',
  folder: 'folder',
  selection: 'selection',
  symbol: 'symbol',
  'open-editors': 'file',
  environment: 'file',
  problems: 'warning',
  terminal: 'terminal',
  'git-change': 'change',
  commit: 'commit',
  instructions: 'instructions',
  repository: 'repository',
  image: 'image',
  command: 'command',
  prompt: 'instructions',
}

export const ChipIcon = ({ kind }: { kind: SuggestionItem['kind'] }) => <Icon name={icons[kind]} size={14} />
