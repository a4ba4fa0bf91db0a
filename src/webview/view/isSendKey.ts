// `isSendKey`: whether a key sends what is written: Enter or Ctrl+Enter, by the setting.

/** False while an input method composes, because its Enter selects a word. Key code 229 reports that as well. */
export function isSendKey(event: KeyboardEvent, sendOnEnter: boolean): boolean {
  if (event.key !== 'Enter' || event.isComposing || event.keyCode === 229) return false
  if (event.ctrlKey || event.metaKey) return true
  return sendOnEnter && !event.shiftKey && !event.altKey
}
