// `shownTheme` and `onThemeChange`: the colour theme that the editor draws the page in.
import type { ThemeKind } from '../../protocol/panel.ts'

/** The editor writes the theme into the attributes of the body. */
export function shownTheme({ classList, dataset }: HTMLElement): { id: string; kind: ThemeKind } {
  return { id: dataset['vscodeThemeId'] ?? '', kind: kindOf(classList) }
}

/** The light kind of high contrast has the class of the other kind as well. */
function kindOf(classes: DOMTokenList): ThemeKind {
  if (classes.contains('vscode-high-contrast-light')) return 'hc-light'
  if (classes.contains('vscode-high-contrast')) return 'hc-black'
  return classes.contains('vscode-light') ? 'vs' : 'vs-dark'
}

export function onThemeChange(body: HTMLElement, listener: () => void): void {
  const key = () => Object.values(shownTheme(body)).join(' ')
  const last = { key: key() }
  const observer = new MutationObserver(() => {
    if (key() === last.key) return
    last.key = key()
    listener()
  })
  observer.observe(body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] })
}
