// `diagramLook`: the colours and the font of the editor's theme, as a diagram needs them.
import type { DiagramLook } from '../lazyFiles.ts'

/** A diagram is an image, in which the editor's variables are not known, so their values are read here. */
export function diagramLook(): DiagramLook {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  const read = readerOf(probe)
  const background = read('var(--vscode-editor-background, var(--vscode-sideBar-background, #fff))', '#ffffff')
  const foreground = read('var(--vscode-foreground)', background)
  const link = read('var(--vscode-textLink-foreground, var(--vscode-foreground))', background)
  const hasContrast = getComputedStyle(document.body).getPropertyValue('--vscode-contrastBorder').trim() !== ''
  const { fontFamily, fontSize } = getComputedStyle(document.body)
  const colours = {
    background,
    foreground,
    box: mixed(background, foreground, 0.09),
    edge: hasContrast ? read('var(--vscode-contrastBorder)', background) : mixed(background, foreground, 0.45),
    line: mixed(background, foreground, 0.7),
    note: mixed(background, link, 0.22),
  }
  probe.remove()
  return { isDark: brightness(background) < 128, fontFamily, fontSizePx: Number.parseFloat(fontSize) || 13, colours }
}

/** The canvas reads every notation of colours, and mixes those that are translucent with what is below. */
function readerOf(probe: HTMLElement): (css: string, below: string) => string {
  const canvas = new OffscreenCanvas(1, 1)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return (css, below) => {
    probe.style.color = css
    if (!context) return below
    for (const colour of [below, getComputedStyle(probe).color]) {
      context.fillStyle = colour
      context.fillRect(0, 0, 1, 1)
    }
    return hexOf([...context.getImageData(0, 0, 1, 1).data].slice(0, 3))
  }
}

const partsOf = (hex: string) => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16))
const hexOf = (parts: readonly number[]) => `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`

/** So much of the colour above on the one below. */
function mixed(below: string, above: string, share: number): string {
  const over = partsOf(above)
  return hexOf(partsOf(below).map((part, at) => Math.round(part + ((over[at] ?? part) - part) * share)))
}

function brightness(hex: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(hex)
  return (red * 299 + green * 587 + blue * 114) / 1_000
}
