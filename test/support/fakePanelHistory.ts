// What a panel needs for its history, with a list of conversations that a test hands in, and a record of what it asks for.
import type { Sessions } from '../../src/core/agent/sessions.ts'
import type { ConversationList } from '../../src/core/conversation/conversationList.ts'
import { KeyText } from '../../src/core/log/keyText.ts'
import type { PanelHistoryOptions } from '../../src/editor/chat/panelHistory.ts'

export const emptyList: ConversationList = {
  list: async () => [],
  search: async () => [],
  refresh() {},
  refreshOne: async () => {},
  laterCount: 0,
  onDidChange: () => ({ dispose() {} }),
}

export function fakePanelHistory(
  sessions: Sessions,
  given: Partial<PanelHistoryOptions> = {},
): PanelHistoryOptions & { readonly asked: unknown[][] } {
  const asked: unknown[][] = []
  return {
    asked,
    sessions,
    list: async () => emptyList,
    unsent: { find: async () => [], take: async () => true, setDeleted: async () => {} },
    workspace: 'file:///project',
    keys: new KeyText(() => undefined),
    report: fault => {
      throw fault
    },
    open: async request => void asked.push(['open', request]),
    leave: conversation => void asked.push(['leave', conversation]),
    move: async () => void asked.push(['move']),
    placeOf: () => 'side-bar',
    exportChat: async conversation => void asked.push(['export', conversation]),
    importChat: async () => void asked.push(['import']),
    ...given,
  }
}
