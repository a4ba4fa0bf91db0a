// `replaceText`: replaces a range of a text box as if it were typed.

/**
 * By the editing command of the browser, because only then can the user undo it; `input` events follow. It is deprecated
 * without a replacement, and Chromium keeps it.
 */
export function replaceText(box: HTMLTextAreaElement, start: number, end: number, text: string): void {
  box.focus()
  box.setSelectionRange(start, end)
  if (!document.execCommand(text === '' ? 'delete' : 'insertText', false, text)) {
    box.setRangeText(text, start, end, 'end')
    box.dispatchEvent(new Event('input', { bubbles: true }))
  }
}
