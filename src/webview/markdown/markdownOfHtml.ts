// `markdownOfHtml`: converts pasted rich text to Markdown.
import { gfm } from '@joplin/turndown-plugin-gfm'
import TurndownService from 'turndown'

/** Elements that Markdown has a form for; without any of them the plain text of the clipboard is as good. */
const structure = 'h1,h2,h3,h4,h5,h6,ul,ol,table,pre,code,blockquote,strong,b,em,i,a[href],hr'
/** Elements whose text is not for a reader, and those that would only name a place on another server. */
const unread = 'script,style,noscript,template,head,iframe,object,svg,img,video,audio,input,button,select'
const maxHtmlChars = 1_000_000

/** Undefined if the text has no structure, or is too long. Scripts in it do not run and nothing is loaded. */
export function markdownOfHtml(html: string): string | undefined {
  if (html.length > maxHtmlChars) return undefined
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll(unread)) element.remove()
  // Some programs wrap everything that is copied into one bold element that is not bold (Google Docs).
  for (const element of body.querySelectorAll('b[style*="font-weight:normal"], b[style*="font-weight: normal"]'))
    element.replaceWith(...element.childNodes)
  if (!body.querySelector(structure)) return undefined
  const code = loneCode(body)
  if (code !== undefined) return code
  for (const block of body.querySelectorAll('pre')) wrapCode(block)
  const markdown = converter().turndown(body).trim()
  return markdown === '' ? undefined : markdown
}

function converter(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    hr: '---',
    bulletListMarker: '-',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  })
  service.use(gfm)
  service.escape = escaped
  return service
}

/**
 * Only what would make a heading, a list, a quotation, a rule or a fence of the beginning of a text: the rest is read as it
 * is written, by the user in the composer and by the model, and `my_var [0]` needs no backslash for either.
 */
const escaped = (text: string) =>
  text
    .replace(/^(?=(?:#{1,6}|[-+*]|>)(?:\s|$)|>|~~~|```|[-=]{2,}\s*$)/, '\\')
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\')

/** The converter makes a fence of a block only where all of it is one `code` element. */
function wrapCode(block: HTMLPreElement): void {
  if (block.childNodes.length === 1 && block.firstElementChild?.nodeName === 'CODE') return
  const code = block.ownerDocument.createElement('code')
  code.className = block.className
  code.append(...block.childNodes)
  block.append(code)
}

/** The text of code that was copied alone, such as a name: without a line break it needs no fence. */
function loneCode(body: HTMLElement): string | undefined {
  const text = body.textContent?.trim() ?? ''
  const code = body.querySelector('pre,code')
  return text !== '' && !text.includes('\n') && code?.textContent?.trim() === text ? text : undefined
}
