// `CopyButton`: copies a text and shows a confirmation for a short time.
import { useEffect, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

const shownMs = 1_500

interface Props {
  text: () => string
  announce: (text: string) => void
}

export function CopyButton({ text, announce }: Props) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setCopied(true)
      announce('Copied')
    } catch {
      announce('Copying failed')
    }
  }
  return (
    <button type="button" class="icon-button" aria-label="Copy" title="Copy" onClick={copy}>
      {isCopied && <span aria-hidden="true">Copied</span>}
      <Icon name={isCopied ? 'done' : 'copy'} />
    </button>
  )
}
