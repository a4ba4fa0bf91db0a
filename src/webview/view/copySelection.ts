// `copySelection`: what is selected in the conversation is copied as bare text and HTML, because the colours of a dark theme cannot be read on paper, and buttons are no content.

/** What lies around a selection and gives it its form. */
const forms = 'pre, code, table, thead, tbody, tr, ul, ol, blockquote'
const controls = 'button, select, input:not([type="checkbox"]), svg, .code-head, .table-actions, .actions, .unseen'
const keptAttributes: readonly string[] = [
  'href',
  'src',
  'alt',
  'colspan',
  'rowspan',
  'start',
  'display',
  'type',
  'checked',
]

export function copySelection(event: ClipboardEvent): void {
  const selection = document.getSelection()
  const isInBox = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement
  if (isInBox || !event.clipboardData || !selection || selection.isCollapsed) return
  event.clipboardData.setData('text/plain', selection.toString())
  event.clipboardData.setData('text/html', bareHtml(selection.getRangeAt(0)))
  event.preventDefault()
}

function bareHtml(range: Range): string {
  const whole = document.createElement('div')
  whole.append(inItsForm(range.cloneContents(), range.commonAncestorContainer))
  for (const formula of whole.querySelectorAll('.katex')) formula.replaceWith(formula.querySelector('math') ?? '')
  for (const element of whole.querySelectorAll(controls)) element.remove()
  for (const link of whole.querySelectorAll<HTMLElement>('.link')) link.replaceWith(withAddress(link))
  for (const frame of whole.querySelectorAll('fieldset, article')) frame.replaceWith(...frame.childNodes)
  for (const element of whole.querySelectorAll('*'))
    for (const name of element.getAttributeNames()) if (!keptAttributes.includes(name)) element.removeAttribute(name)
  return whole.innerHTML
}

/** One that leads elsewhere than its text has a sentence as its title, and stays a text. */
function withAddress({ title, childNodes }: HTMLElement): Node {
  const isAddress = /^https?:\/\/\S+$/.test(title)
  const link = document.createElement(isAddress ? 'a' : 'span')
  if (link instanceof HTMLAnchorElement) link.href = title
  link.append(...childNodes)
  return link
}

function inItsForm(content: Node, around: Node): Node {
  let inner = content
  const nearest = around instanceof Element ? around : around.parentElement
  for (let form = nearest?.closest(forms); form; form = form.parentElement?.closest(forms)) {
    const shell = form.cloneNode(false)
    shell.appendChild(inner)
    inner = shell
  }
  return inner
}
