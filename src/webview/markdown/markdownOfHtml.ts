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
  return service
}
