// The actions of a message: `QuestionActions` and `AnswerActions`; and `AnswerEnding`, the reason why an answer ended early.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { visible } from '../markdown/visible.ts'
import type { AnswerState, AssistantMessage, Message, Variants } from '../state/messages.ts'
import type { Store } from '../state/store.ts'
import { answerEndings } from './answerEndings.ts'
import { CopyButton } from './copyButton.tsx'
import { Icon, type IconName } from './icon.tsx'
import { useWords } from './wordsContext.ts'

interface QuestionProps {
  message: Extract<Message, { role: 'user' }>
  store: Store
  mayAsk: boolean
  /** The question was not changed after all: its button takes the focus back. */
  wasEdited: boolean
  onEdit: () => void
}

export function QuestionActions({ message, store, mayAsk, wasEdited, onEdit }: QuestionProps) {
  const words = useWords()
  const { turn, text, variants } = message
  return (
    <div class="actions">
      <VariantSwitch variants={variants} store={store} mayChange={mayAsk} />
      <Action icon="edit" label={words.of('edit')} isDisabled={!mayAsk} hasFocus={wasEdited} onClick={onEdit} />
      <CopyButton
        label={words.of('copyMessage')}
        text={() => visible(text, words)}
        announce={confirmation => store.announce(confirmation)}
      />
      {store.mayRestore.value && (
        <Action
          icon="undo"
          label={words.of('restoreToHere')}
          isDisabled={!mayAsk}
          onClick={() => store.restore(turn)}
        />
      )}
      <Action
        icon="delete"
        label={words.of('deleteMessage')}
        isDisabled={!mayAsk}
        onClick={() => store.deleteTurn(turn)}
      />
    </div>
  )
}

interface AnswerProps {
  message: AssistantMessage
  store: Store
  mayAsk: boolean
}

export function AnswerActions({ message, store, mayAsk }: AnswerProps) {
  const words = useWords()
  const { turn, text, variants } = message
  return (
    <div class="actions">
      <VariantSwitch variants={variants} store={store} mayChange={mayAsk} />
      <CopyButton
        label={words.of('copyMessage')}
        text={() => visible(text, words)}
        announce={confirmation => store.announce(confirmation)}
      />
      <Action icon="retry" label={words.of('retry')} isDisabled={!mayAsk} onClick={() => store.retryTurn(turn)} />
      <Action icon="branch" label={words.of('branchFromHere')} isDisabled={false} onClick={() => store.fork(turn)} />
    </div>
  )
}

interface ActionProps {
  icon: IconName
  label: string
  isDisabled: boolean
  /** Takes the focus when it appears. */
  hasFocus?: boolean
  onClick: () => void
}

function Action({ icon, label, isDisabled, hasFocus = false, onClick }: ActionProps) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (hasFocus) button.current?.focus()
  }, [])
  return (
    <button
      ref={button}
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

/** Changes between the alternatives to a message; nothing where there is one. */
function VariantSwitch({ variants, store, mayChange }: { variants: Variants; store: Store; mayChange: boolean }) {
  const words = useWords()
  const { turns, at } = variants
  if (turns.length < 2) return null
  const before = turns[at - 1]
  const after = turns[at + 1]
  const text = words.of('variantOf', { number: at + 1, count: turns.length })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div role="group" class="variants" aria-label={words.of('variants')}>
      <Action
        icon="previous"
        label={words.of('previousVariant')}
        isDisabled={!mayChange || before === undefined}
        onClick={() => before !== undefined && store.chooseBranch(before)}
      />
      <span>{text}</span>
      <Action
        icon="next"
        label={words.of('nextVariant')}
        isDisabled={!mayChange || after === undefined}
        onClick={() => after !== undefined && store.chooseBranch(after)}
      />
    </div>
  )
}

const mayContinueAfter: ReadonlySet<AnswerState> = new Set(['stopped', 'interrupted', 'failed', 'length'])

interface EndingProps {
  message: AssistantMessage
  store: Store
  mayContinue: boolean
}

/** Why the answer ended before its end, and the buttons that help. */
export function AnswerEnding({ message: { turn, text, parts, state }, store, mayContinue }: EndingProps) {
  const words = useWords()
  const ending = answerEndings[state]
  if (!ending) return null
  // There is something that the rest can follow: a text, or what a call has returned.
  const hasBegun = text !== '' || parts.some(({ kind }) => kind === 'tool-call')
  return (
    <div class="ending">
      <span>{words.of(ending)}</span>
      {mayContinue && (
        <span class="ending-buttons">
          {mayContinueAfter.has(state) && hasBegun && (
            <button type="button" class="quiet" onClick={() => store.continueAnswer()}>
              {words.of('continueAnswer')}
            </button>
          )}
          <button type="button" class="quiet" onClick={() => store.retryTurn(turn)}>
            {words.of('retry')}
          </button>
        </span>
      )}
    </div>
  )
}
