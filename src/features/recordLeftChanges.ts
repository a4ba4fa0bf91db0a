// `recordLeftChanges`: records what commands have changed whose window crashed.
import type { ExtensionContext } from 'vscode'
import { CommandRecorder } from '../core/tools/commandRecorder.ts'
import type { WatchedTurn } from '../core/workspace/treeWatch.ts'
import { identityOf, isSameProcess } from '../node/commands/processIdentity.ts'
import { takeLeftIndexes } from '../node/search/leftIndexes.ts'
import { ThreadWatch } from '../node/search/threadWatch.ts'
import { countOf, objectOf, parsedJson, textOf } from '../protocol/json.ts'
import { diskRoots, lookingThreads, uriOf } from './commandWatch.ts'
import { keptFolder } from './leftCommands.ts'
import type { Services } from './services.ts'

/** Once what they have left running has ended. */
export async function recordLeftChanges(
  { clock, changeServices }: Pick<Services, 'clock' | 'changeServices'>,
  extension: ExtensionContext,
): Promise<void> {
  for (const { folder, note } of await takeLeftIndexes(keptFolder(extension), hasEnded, clock.now())) {
    const command = commandIn(note)
    const watch = new ThreadWatch({ threads: lookingThreads(extension, clock), folder, uriOf, isLeft: true })
    try {
      const { changes } = await changeServices()
      await new CommandRecorder({ watch, changes, clock, roots: diskRoots }).recordLeft(command)
    } finally {
      watch.dispose()
    }
  }
}

async function hasEnded(note: string): Promise<boolean> {
  const window = identityOf(objectOf(parsedJson(note))?.['window'])
  return window !== undefined && !(await isSameProcess(window))
}

function commandIn(note: string): WatchedTurn {
  const { conversation, turn, since } = objectOf(parsedJson(note)) ?? {}
  return { conversation: textOf(conversation), turn: textOf(turn), since: countOf(since) ?? 0 }
}
