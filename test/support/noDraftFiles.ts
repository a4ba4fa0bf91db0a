// `noDraftFiles`: where drafts are kept in memory alone.
import type { DraftStore } from '../../src/editor/chat/draftMemory.ts'

export const noDraftFiles: DraftStore = {
  all: new Map(),
  write: async () => {},
  isInUse: () => false,
  take: async () => undefined,
}
