// `CallPreview`: what a call would do, as the question about it shows it: a change, a command, a path or arguments.
import { sanitizeLine } from '../../base/text.ts'
import type { CallPreview as Preview } from '../../protocol/conversation.ts'
import { VisibleText } from './visibleText.tsx'
import { useWords } from './wordsContext.ts'

type Of<K extends Preview['kind']> = Extract<Preview, { kind: K }>

export function CallPreview({ preview, onDiff }: { preview: Preview; onDiff: () => void }) {
  switch (preview.kind) {
    case 'change':
      return <Change preview={preview} onDiff={onDiff} />
    case 'command':
      return <Command preview={preview} />
    case 'path':
      return <pre class="approval-input">{sanitizeLine(preview.path, 4_096)}</pre>
    case 'arguments':
      return (
        <pre class="approval-input">
          <VisibleText text={preview.text} />
        </pre>
      )
  }
}

function Change({ preview: { files }, onDiff }: { preview: Of<'change'>; onDiff: () => void }) {
  const words = useWords()
  return files.map(({ uri, path, renamedTo, addedLines, removedLines, lines, isCut = false }) => (
    <div key={uri} class="approval-change">
      <p class="change-name">
        <span class="change-file">
          {sanitizeLine(path, 400)}
          {renamedTo !== undefined && ` → ${sanitizeLine(renamedTo, 400)}`}
        </span>{' '}
        <span class="change-added">+{addedLines}</span> <span class="change-removed">−{removedLines}</span>
        {lines.length > 0 && (
          <button type="button" class="quiet" onClick={onDiff}>
            {words.of('openDiff')}
          </button>
        )}
      </p>
      {lines.length > 0 && (
        <pre class="diff">
          {lines.map((line, at) => (
            <span key={at} class={lineClass(line)}>
              <VisibleText text={line} />
              {'\n'}
            </span>
          ))}
        </pre>
      )}
      {isCut && <p class="muted small">{words.of('diffCut')}</p>}
    </div>
  ))
}

function lineClass(line: string): string {
  if (line.startsWith('+')) return 'diff-added'
  if (line.startsWith('-')) return 'diff-removed'
  return line.startsWith('@') ? 'diff-place' : 'diff-same'
}

function Command({ preview }: { preview: Of<'command'> }) {
  const words = useWords()
  const { command, folder, shell, saves, why, restorable, isUnwatched } = preview
  return (
    <>
      <pre class="approval-command">
        <VisibleText text={command} />
      </pre>
      <p class="muted small">
        {words.of('commandPlace', { folder: sanitizeLine(folder, 400), shell: sanitizeLine(shell, 80) })}
      </p>
      {saves.length > 0 && (
        <p class="small">
          {words.of('commandSaves', { files: saves.map(path => sanitizeLine(path, 200)).join(', ') })}
        </p>
      )}
      {restorable && restorable.files < restorable.of && (
        <p class="small">{words.of('commandRestorable', { count: restorable.files, all: restorable.of })}</p>
      )}
      {isUnwatched && <p class="small">{words.of('commandUnwatched')}</p>}
      {why && <p class="muted small">{words.of('commandWhy', { why: sanitizeLine(why, 400) })}</p>}
    </>
  )
}
