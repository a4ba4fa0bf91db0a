// `CodeBlock`: a code block with its language and a copy button.
import { useState } from 'preact/hooks'
import type { Code } from '../markdown/markdown.ts'
import { CopyButton } from './copyButton.tsx'
import { Marked } from './marked.tsx'
import { useWords } from './wordsContext.ts'

const maxChars = 20_000

interface Props extends Code {
  announce: (text: string) => void
}

export function CodeBlock({ language, text, announce }: Props) {
  const words = useWords()
  const [isWhole, setWhole] = useState(false)
  const name = language || words.of('plainText')
  const shown = isWhole ? text : text.slice(0, maxChars)
  // Copying shows the whole block, so that the copied text is visible.
  const copy = () => {
    setWhole(true)
    return text
  }
  return (
    <fieldset class="code" aria-label={words.of('codeIn', { language: name })}>
      <div class="code-head">
        <span class="code-language">{name}</span>
        <CopyButton text={copy} announce={announce} />
      </div>
      <pre class="code-body">
        <code>
          <Marked text={shown} />
        </code>
      </pre>
      {shown.length < text.length && (
        <button type="button" class="quiet show-all" onClick={() => setWhole(true)}>
          {words.of('showAll')}
        </button>
      )}
    </fieldset>
  )
}
