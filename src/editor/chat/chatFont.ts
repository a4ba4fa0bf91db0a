// `chatFont`, `onDidChangeChatFont`: the font of the editor's own chat, where the user has set one.
import { workspace } from 'vscode'
import type { Disposable } from '../../base/disposable.ts'
import type { ChatFont } from '../../protocol/panel.ts'

const SECTION = 'chat'
const [LEAST_PX, MOST_PX] = [6, 100]
const MOST_FAMILY_CHARS = 500

/** By the settings `chat.fontSize` and `chat.fontFamily` of the editor; undefined where both are as the editor has them. */
export function chatFont(): ChatFont | undefined {
  const sizePx = setByUser('fontSize')
  const family = setByUser('fontFamily')
  const isSize = typeof sizePx === 'number' && sizePx >= LEAST_PX && sizePx <= MOST_PX
  const isFamily = typeof family === 'string' && family !== 'default' && family.length <= MOST_FAMILY_CHARS
  if (!isSize && !isFamily) return undefined
  return { ...(isSize && { sizePx }), ...(isFamily && { family }) }
}

export function onDidChangeChatFont(listener: () => void): Disposable {
  return workspace.onDidChangeConfiguration(change => {
    if (change.affectsConfiguration(`${SECTION}.fontSize`) || change.affectsConfiguration(`${SECTION}.fontFamily`))
      listener()
  })
}

function setByUser(name: string): unknown {
  const found = workspace.getConfiguration(SECTION).inspect(name)
  return found?.workspaceValue ?? found?.globalValue
}
