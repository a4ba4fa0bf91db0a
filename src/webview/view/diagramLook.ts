// `diagramLook`: the colours and the font of the editor's theme, as a diagram needs them.
import type { DiagramLook } from '../lazyFiles.ts'

/** A diagram is an image, in which the editor's variables are not known, so their values are read here. */
export function diagramLook(): DiagramLook {
  const probe = document.createElement('span')
  probe.hidden = true
  document.body.append(probe)
  const read = readerOf(probe)
  const background = read('var(--vscode-editor-background, var(--vscode-sideBar-background, #fff))', '#ffffff')
  const of = (css: string) => read(css, background)
  const { fontFamily, fontSize } = getComputedStyle(document.body)
  const colours = {
    background,
    foreground: of('var(--vscode-foreground)'),
    box: of('color-mix(in srgb, var(--vscode-foreground) 9%, transparent)'),
    edge: of('var(--vscode-contrastBorder, color-mix(in srgb, var(--vscode-foreground) 45%, transparent))'),
    line: of('color-mix(in srgb, var(--vscode-foreground) 70%, transparent)'),
    note: of('color-mix(in srgb, var(--vscode-textLink-foreground, var(--vscode-foreground)) 22%, transparent)'),
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
    const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
    return `#${[red, green, blue].map(part => part.toString(16).padStart(2, '0')).join('')}`
  }
}

function brightness(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16))
  return (red * 299 + green * 587 + blue * 114) / 1_000
}
