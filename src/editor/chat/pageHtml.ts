// `pageHtml`: the HTML of the chat page with its content security policy, `pagePolicy`, and its text; `pageFolder`: where its files are.
import { Uri, type Webview } from 'vscode'
import { PAGE_TEXT_ID, type PageText } from '../../protocol/pageText.ts'
import { textLanguage } from '../ui/textLanguage.ts'
import { pageText } from './pageText.ts'

/** All that the page may load is in it. */
export const pageFolder = (extensionUri: Uri) => Uri.joinPath(extensionUri, 'dist', 'page')

/**
 * `page`: its id. `formers`: the ids of pages that have lost the extension, one of which it replaces; it asks them for
 * what is unsent.
 */
export interface PageIds {
  readonly page: string
  readonly formers: readonly string[]
}

export function pageHtml(webview: Webview, extensionUri: Uri, { page, formers }: PageIds): string {
  const nonce = newNonce()
  const at = (name: string) => webview.asWebviewUri(Uri.joinPath(pageFolder(extensionUri), name)).toString()
  const policy = pagePolicy(nonce, webview.cspSource)
  return `<!DOCTYPE html>
<html lang="${textLanguage()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${at('chat.css')}">
<title>Kourier</title>
</head>
<body data-page="${page}" data-formers="${formers.join(' ')}">
<div id="root"></div>
${textElement(pageText())}
<script nonce="${nonce}" src="${at('page.js')}"></script>
</body>
</html>`
}

/** `own`: where the page's own files come from. */
export function pagePolicy(nonce: string, own: string): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${own}`,
    `font-src ${own}`,
    `img-src ${own} data:`,
    `connect-src 'none'`,
    `frame-src 'none'`,
    `object-src 'none'`,
    `form-action 'none'`,
    `base-uri 'none'`,
  ].join('; ')
}

/** Not a script, so the policy has no part in it. In its JSON no tag may end the element. */
export function textElement(text: PageText): string {
  return `<script id="${PAGE_TEXT_ID}" type="application/json">${JSON.stringify(text).replaceAll('<', '\\u003c')}</script>`
}

/** 128 bits, new for each page. */
function newNonce(): string {
  return crypto
    .getRandomValues(new Uint8Array(16))
    .reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
}
