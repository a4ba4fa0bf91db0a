// An extension whose webview view holds a text box and nothing else: what the editor itself takes to show such a view.
import { writtenExtension } from '../editor/writtenExtension.ts'

/** Shows it. */
export const emptyViewKey = 'Control+Alt+Shift+F12'

/** Returns its folder. */
export const emptyViewExtension = (): string =>
  writtenExtension({
    name: 'empty-view',
    contributes: {
      viewsContainers: { activitybar: [{ id: 'benchEmpty', title: 'Empty', icon: 'icon.svg' }] },
      views: { benchEmpty: [{ type: 'webview', id: 'bench.emptyView', name: 'Empty' }] },
      keybindings: [{ key: emptyViewKey.replace('Control', 'Ctrl').toLowerCase(), command: 'bench.emptyView.focus' }],
    },
    program,
    files: { 'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"/>' },
  })

const program = `
const html = '<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" content="default-src \\'none\\'"></head>' +
  '<body><div id="root"><div class="composer"><textarea></textarea></div></div></body></html>'
const resolveWebviewView = ({ webview }) => {
  webview.options = { enableScripts: true }
  webview.html = html
}
exports.activate = () => void require('vscode').window.registerWebviewViewProvider('bench.emptyView', { resolveWebviewView })
`
