// `features`: every feature of the extension; they can be started in any order.
import type { ExtensionContext } from 'vscode'
import type { Disposable } from '../base/disposable.ts'
import { startAccount } from './account.ts'
import { startChanges } from './changes.ts'
import { startChat } from './chat.ts'
import { startCompletion } from './completion.ts'
import { startLeftCommands } from './leftCommands.ts'
import { startModels } from './models.ts'
import { startNextEdit } from './nextEdit.ts'
import type { Services } from './services.ts'
import { startStatus } from './status.ts'
import { startToolSelection } from './toolSelection.ts'

/** Registers one feature with the editor. `services`: the objects that all features share. */
export type Feature = (services: Services, context: ExtensionContext) => Disposable

export const features: readonly Feature[] = [
  startAccount,
  startChat,
  startChanges,
  startModels,
  startToolSelection,
  startCompletion,
  startNextEdit,
  startStatus,
  startLeftCommands,
]
