// `Chips`: what is attached to the message, and what is offered to be attached; `ChipIcon`: the icon of its kind.
import { useEffect, useRef } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import type { Chip, OfferedChip, SuggestionItem } from '../../protocol/draft.ts'
import type { Attachments } from '../state/attachments.ts'
import type { Store } from '../state/store.ts'
import { Boundary } from './boundary.tsx'
import { Icon, type IconName } from './icon.tsx'
import { PictureDialog, pictureSource } from './picture.tsx'
import { shortCount } from './shortCount.ts'
import { VisibleText } from './visibleText.tsx'
import { useWords } from './wordsContext.ts'

interface ChipsProps {
  chips: readonly Chip[]
  offers: readonly OfferedChip[]
  store: Store
  attachments: Attachments
}

export function Chips({ chips, offers, store, attachments }: ChipsProps) {
  const words = useWords()
  if (chips.length === 0 && offers.length === 0) return null
  return (
    <div class="chips">
      <ChipList label={words.of('automaticContext')} chips={chips.filter(isAutomatic)} store={store} />
      <ChipList label={words.of('context')} chips={chips.filter(chip => !isAutomatic(chip))} store={store} />
      {offers.map(offer => (
        <OfferButton key={offer.offer} offer={offer} onClick={() => attachments.takeOffer(offer.offer)} />
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
        <Boundary
          key={chip.id}
          subject={chip}
          fallback={
            <li class="chip">
              <VisibleText text={chip.label} />
            </li>
          }
          onFault={text => store.send({ kind: 'report', text })}
        >
          <AttachedChip chip={chip} store={store} />
        </Boundary>
      ))}
    </ul>
  )
}

function AttachedChip({ chip, store }: { chip: Chip; store: Store }) {
  const words = useWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const source = usePicture(chip, store)
  const { id, kind, state, tokens, problem, notice, warning } = chip
  const seen = problem ?? warning
  const name = sanitizeLine(chip.label, 120) || words.of('image')
  const detail = chip.detail && sanitizeLine(chip.detail, 200)
  const first = chip.isAutomatic ? words.of('automaticNamed', { name }) : ''
  const size = tokens === undefined ? '' : words.of('tokens', { count: shortCount(tokens) })
  const title = [first, detail, size, problem, warning, problem ? '' : notice].filter(text => text).join('\n') || name
  return (
    <li class={chip.isAutomatic ? `chip automatic ${state}` : `chip ${state}`}>
      <button
        type="button"
        class="chip-name"
        title={sanitizeLines(title)}
        {...(source !== undefined && { 'aria-haspopup': 'dialog' as const })}
        onClick={() => (source === undefined ? store.openChip(id) : dialog.current?.showModal())}
      >
        {source === undefined ? <ChipIcon kind={kind} /> : <img class="chip-picture" alt="" src={source} />}
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
      {source !== undefined && <PictureDialog dialog={dialog} label={name} source={source} />}
    </li>
  )
}

/** The address of the image of the chip, as soon as the page has it. */
function usePicture({ id, kind, state }: Chip, store: Store): string | undefined {
  const isReady = kind === 'image' && state === 'ready'
  useEffect(() => {
    if (isReady) store.askPicture(id)
  }, [id, isReady])
  const picture = store.pictures.value.get(id)
  return picture && pictureSource(picture)
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
function OfferButton({ offer: { kind, label, detail }, onClick }: { offer: OfferedChip; onClick: () => void }) {
  const words = useWords()
  const name = sanitizeLine(label, 120)
  const title = words.of('attachNamed', { name })
  return (
    <button
      type="button"
      class="chip offered"
      aria-label={title}
      title={detail ? `${title}\n${sanitizeLine(detail, 200)}` : title}
      onClick={onClick}
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
  environment: 'folder',
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
