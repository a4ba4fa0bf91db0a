// `openFiles`: the files that the user has open in tabs, those that are in view first.
import { TabInputCustom, TabInputNotebook, TabInputText, TabInputTextDiff, type Uri, window } from 'vscode'

/** Each once. */
export function openFiles(): Uri[] {
  const visible = window.visibleTextEditors.map(({ document }) => document.uri)
  const tabs = window.tabGroups.all.flatMap(group => group.tabs.flatMap(tab => uriOf(tab.input) ?? []))
  // An output or a commit message may be in view and is no file.
  const inTabs = new Map(tabs.map(uri => [uri.toString(), uri]))
  const first = visible.filter(uri => inTabs.has(uri.toString()))
  return [...new Map([...first, ...tabs].map(uri => [uri.toString(), uri])).values()]
}

function uriOf(input: unknown): Uri | undefined {
  if (input instanceof TabInputText || input instanceof TabInputCustom || input instanceof TabInputNotebook)
    return input.uri
  return input instanceof TabInputTextDiff ? input.modified : undefined
}
