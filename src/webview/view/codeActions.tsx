// `CodeActions`, `CommitAction`: the buttons of a code block beside *Copy* and below it; and the context with the answer that it is in.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Code } from '../markdown/markdown.ts'
import type { Store } from '../state/store.ts'
import { Icon, type IconName } from './icon.tsx'
import { useWords } from './wordsContext.ts'

interface CodeContextValue {
  readonly turn: string
  /** The answer has its end, so code without the end of its fence is complete too. */
  readonly isWhole: boolean
  /** The code is a commit message. */
  readonly isForCommit: boolean
  readonly store: Store
}

export const CodeContext = createContext<CodeContextValue | undefined>(undefined)

const shells = /^(?:ba|z|fi|c|tc|k|da)?sh$|^(?:shell|shellscript|console|terminal|powershell|pwsh|ps1|bat|batch|cmd)$/i

/** Nothing outside of a conversation. */
export function CodeActions({ code }: { code: Code }) {
  const words = useWords()
  const context = useContext(CodeContext)
  if (!context) return null
  const { turn, isWhole, store } = context
  const reason = code.isClosed || isWhole ? undefined : words.of('codeIncomplete')
  const run = (action: Parameters<Store['runCode']>[0]) => () => store.runCode(action, turn, code)
  const runReason = store.mayRun.value ? reason : words.of('runRestricted')
  return (
    <span class="code-actions">
      <Action icon="insert" label={words.of('insertAtCursor')} onClick={run('insert')} />
      <Action icon="apply" label={words.of('applyToFile')} reason={reason} onClick={run('apply')} />
      <Action icon="newFile" label={words.of('newFile')} reason={reason} onClick={run('new-file')} />
      {shells.test(code.language) && (
        <Action icon="run" label={words.of('runInTerminal')} reason={runReason} onClick={run('run')} />
      )}
    </span>
  )
}

/** Nothing for an answer to another question. */
export function CommitAction({ code }: { code: Code }) {
  const words = useWords()
  const context = useContext(CodeContext)
  if (!context?.isForCommit) return null
  const { turn, isWhole, store } = context
  const isComplete = code.isClosed || isWhole
  return (
    <button
      type="button"
      class="quiet commit-action"
      aria-disabled={!isComplete}
      title={isComplete ? undefined : words.of('codeIncomplete')}
      onClick={() => isComplete && store.runCode('commit-message', turn, code)}
    >
      {words.of('useAsCommitMessage')}
    </button>
  )
}

interface ActionProps {
  icon: IconName
  label: string
  /** Why it is disabled. */
  reason?: string | undefined
  onClick: () => void
}

/** A disabled one can still be reached, so that its reason can be read. */
function Action({ icon, label, reason, onClick }: ActionProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      aria-disabled={reason !== undefined}
      title={reason ?? label}
      onClick={() => reason === undefined && onClick()}
    >
      <Icon name={icon} />
    </button>
  )
}
