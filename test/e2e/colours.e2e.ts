// Code in the chat has the colours that the editor itself draws, whatever the theme.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { ask, changeSettings, goTo, openChat, openFile, statusBarItem } from '../editor/workbench.ts'
import { inPage } from '../support/inPage.ts'
import { test } from './fixtures.ts'

const path = 'desk/parcel.ts'
/** As many as both show without scrolling. */
const lineCount = 22

/** What the editor adds to the colours of tokens. */
const withoutExtras = {
  'editor.semanticHighlighting.enabled': false,
  'editor.matchBrackets': 'never',
  'editor.occurrencesHighlight': 'off',
  'editor.minimap.enabled': false,
  'editor.stickyScroll.enabled': false,
}

const withoutBrackets = {
  'workbench.colorTheme': 'Light Modern',
  'editor.bracketPairColorization.enabled': false,
}

const customized = {
  'editor.bracketPairColorization.enabled': true,
  'workbench.colorTheme': 'Dark Modern',
  'editor.tokenColorCustomizations': {
    comments: '#12AB34',
    textMateRules: [{ scope: 'keyword', settings: { foreground: '#FF00AA', fontStyle: 'bold underline' } }],
    '[Dark Modern]': { strings: { foreground: '#00FFEE', fontStyle: 'italic' } },
    '[Light*]': { strings: '#FF0000' },
  },
}

test('code has the colours that the editor draws, and follows its theme', async ({ editor, service, windows }) => {
  const lines = readFileSync(join(editor.workspace, path), 'utf8').split('\n').slice(0, lineCount)
  const { page } = await windows.openSignedIn()
  await statusBarItem(page, /Signed in to/).waitFor()
  await changeSettings(page, editor, withoutExtras)
  const chat = await openChat(page)
  service.replies.add({ text: `\`\`\`ts:${path}\n${lines.join('\n')}\n\`\`\`\n` })
  await ask(chat, 'The file, please')
  const block = chat.getByRole('group', { name: 'Code: TypeScript', exact: true })
  await block.getByText(path).waitFor()
  await openFile(page, path)
  await goTo(page, 1) // the editor remembers where it was
  const code = block.locator('code')
  const shown = page.locator('.editor-group-container.active .monaco-editor .view-lines').first()
  for (const settings of [{ 'workbench.colorTheme': 'Default High Contrast' }, withoutBrackets, customized]) {
    await changeSettings(page, editor, settings)
    const name = settings['workbench.colorTheme']
    await chat.locator(`body[data-vscode-theme-id="${name}"]`).waitFor()
    await test.expect
      .poll(async () => differences(await glyphs(shown, 'view-line'), await glyphs(code), lines.join('')), {
        message: JSON.stringify(settings),
      })
      .toEqual([])
    const colors = new Set((await glyphs(code)).map(([, look]) => look))
    assert.ok(colors.size > 4, `${name} has only ${[...colors]}`)
  }
})

type Glyph = readonly [letter: string, look: string]

/** Every visible character with its colour and style, line by line; `lineClass`: the lines are placed by their top. */
function glyphs(of: Locator, lineClass = ''): Promise<readonly Glyph[]> {
  return of.evaluate(
    inPage<Glyph[]>(`
    const top = line => Number.parseFloat(line.style.top)
    const lineClass = '${lineClass}'
    const lines = lineClass ? [...root.getElementsByClassName(lineClass)].sort((a, b) => top(a) - top(b)) : [root]
    return lines.flatMap(line => {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
      const found = []
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const { color, fontStyle, fontWeight, textDecorationLine } = getComputedStyle(node.parentElement)
        const look = [color, fontStyle, fontWeight, textDecorationLine].join(' ')
        for (const letter of node.textContent) if (/[^\\s\\u00a0]/.test(letter)) found.push([letter, look])
      }
      return found
    })
  `),
  )
}

function differences(editor: readonly Glyph[], page: readonly Glyph[], text: string): string[] {
  const count = text.replace(/\s/g, '').length
  if (page.length !== count || editor.length < count) return [`${editor.length} and ${page.length} of ${count}`]
  return page.flatMap(([letter, look], at) => {
    const [wanted, wantedLook] = editor[at] ?? []
    if (letter === wanted && look === wantedLook) return []
    return [`${at}: ${letter} ${look}, and not ${wanted} ${wantedLook}`]
  })
}
