// `CodeBlock`: a code block with its language and a copy button.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { sanitizeLine } from '../../base/text.ts'
import { readFenceLabel } from '../../protocol/fenceLabel.ts'
import type { Code } from '../markdown/markdown.ts'
import { CodeActions, CommitAction } from './codeActions.tsx'
import { ColouredText } from './colouredText.tsx'
import { CopyButton } from './copyButton.tsx'
import { NameLink } from './nameLink.tsx'
import { useBlockColours } from './useBlockColours.ts'
import { isInRest, useUnfolded } from './useUnfolded.ts'
import { useWords } from './wordsContext.ts'

const maxChars = 20_000

interface Props extends Code {
  announce: (text: string) => void
  /** Further buttons. */
  actions?: ComponentChildren
}

export function CodeBlock({ announce, actions, ...code }: Props) {
  const { language, label, text } = code
  const words = useWords()
  const [isWhole, unfold] = useUnfolded(pattern => isInRest(text, maxChars, pattern))
  const shown = isWhole ? text : text.slice(0, maxChars)
  const body = useRef<HTMLPreElement>(null)
  const colours = useBlockColours(label, shown, body)
  const name = colours?.name.value || language || words.of('plainText')
  const { path } = readFenceLabel(label)
  // Copying shows the whole block, so that the copied text is visible.
  const copy = () => {
    unfold()
    return text
  }
  return (
    <fieldset class="code" aria-label={words.of('codeIn', { language: name })}>
      <div class="code-head">
        <span class="code-language">{name}</span>
        {path && <CodePath path={sanitizeLine(path)} />}
        {actions}
        <CodeActions code={code} />
        <CopyButton text={copy} announce={announce} />
      </div>
      <pre class="code-body" ref={body}>
        <code>
          <ColouredText text={shown} colours={colours} />
        </code>
      </pre>
      {shown.length < text.length && (
        <button type="button" class="quiet show-all" onClick={unfold}>
          {words.of('showAll')}
        </button>
      )}
      <CommitAction code={code} />
    </fieldset>
  )
}

const CodePath = ({ path }: { path: string }) => (
  <span class="code-path">
    <NameLink kind="file" text={path} title={path}>
      <bdi>{path}</bdi>
    </NameLink>
  </span>
)
