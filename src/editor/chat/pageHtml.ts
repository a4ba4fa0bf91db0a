// `pageHtml`: the HTML of the chat page with its content security policy, `pagePolicy`, its text, its styles and its script.
import type { Uri, Webview } from 'vscode'
import { PAGE_MESSAGES_ID, PAGE_STYLES_ID, PAGE_TEXT_ID, type PageText } from '../../protocol/pageText.ts'
import type { ToPage } from '../../protocol/panel.ts'
import { textLanguage } from '../ui/textLanguage.ts'
import { type PageFiles, pageFolder } from './pageFiles.ts'
import { pageText } from './pageText.ts'

/**
 * `page`: its id. `formers`: the ids of pages that have lost the extension, one of which it replaces; it asks them for
 * what is unsent. `first`: messages that it takes before it draws for the first time.
 */
export interface PageDocument {
  readonly page: string
  readonly formers: readonly string[]
  readonly extensionUri: Uri
  readonly files: PageFiles
  readonly first: readonly ToPage[]
}

/**
 * The script and the styles stand in it, because each file of its own takes the editor some 100 ms: it is asked for by
 * way of a service worker and the window. The script adopts the styles, which the policy would not apply by themselves.
 */
export function pageHtml(webview: Webview, { page, formers, extensionUri, files, first }: PageDocument): string {
  const nonce = newNonce()
  const folder = webview.asWebviewUri(pageFolder(extensionUri)).toString()
  const policy = pagePolicy(nonce, webview.cspSource)
  return `<!DOCTYPE html>
<html lang="${textLanguage()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kourier</title>
</head>
<body data-page="${page}" data-formers="${formers.join(' ')}" data-files="${folder}/">
<div id="root"></div>
${textElement(pageText())}
${stylesElement(files.styles)}
${messagesElement(first)}
<script nonce="${nonce}">${files.script}</script>
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

export const textElement = (text: PageText) => jsonElement(PAGE_TEXT_ID, text)
export const stylesElement = (styles: string) => jsonElement(PAGE_STYLES_ID, styles)
export const messagesElement = (first: readonly ToPage[]) => jsonElement(PAGE_MESSAGES_ID, first)

/** Not a script, so the policy has no part in it. In its JSON no tag may end the element. */
function jsonElement(id: string, value: unknown): string {
  return `<script id="${id}" type="application/json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`
}

/** 128 bits, new for each page. */
function newNonce(): string {
  return crypto
    .getRandomValues(new Uint8Array(16))
    .reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '')
}
