// Every feature of the extension; in which order they are started does not matter.
import type { ExtensionContext } from 'vscode'
import type { Disposable } from '../base/disposable.ts'
import { startAccount } from './account.ts'
import { startChat } from './chat.ts'
import { startCompletion } from './completion.ts'
import { startModels } from './models.ts'
import type { Services } from './services.ts'
import { startStatus } from './status.ts'

/** Registers one feature with the editor, on top of what all features share. */
export type Feature = (services: Services, context: ExtensionContext) => Disposable

export const features: readonly Feature[] = [startAccount, startChat, startModels, startCompletion, startStatus]
