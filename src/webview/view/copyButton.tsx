// `CopyButton`: copies a text and shows a confirmation for a short time.
import { useEffect, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'
import { useWords } from './wordsContext.ts'

const shownMs = 1_500

interface Props {
  /** By default `Copy`. */
  label?: string
  icon?: IconName
  text: () => string | Promise<string>
  announce: (text: string) => void
}

export function CopyButton({ label, icon = 'copy', text, announce }: Props) {
  const words = useWords()
  const name = label ?? words.of('copy')
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text())
      setCopied(true)
      announce(words.of('copied'))
    } catch {
      announce(words.of('copyingFailed'))
    }
  }
  return (
    <button type="button" class="icon-button" aria-label={name} title={name} onClick={copy}>
      {isCopied && <span aria-hidden="true">{words.of('copied')}</span>}
      <Icon name={isCopied ? 'done' : icon} />
    </button>
  )
}
