// A window as a process of its own: it answers questions into a journal, and reports what it has done, until it is killed.
import { systemClock } from '../../../src/base/clock.ts'
import { ConversationLog } from '../../../src/core/conversation/conversationLog.ts'
import { Log } from '../../../src/core/log/log.ts'
import { JournalFile } from '../../../src/node/history/journalFile.ts'

const path = process.argv[2] ?? ''
const journal = new JournalFile({
  conversation: 'conversation-1',
  path,
  clock: systemClock,
  log: new Log(),
  isAlive: () => true,
})
const log = await ConversationLog.open({ journal, clock: systemClock }, new AbortController().signal)
await log.claim()
let words = 0
for (let turn = 0; ; turn++) {
  const id = `t${turn}`
  const parent = turn > 0 ? { parent: `t${turn - 1}` } : {}
  const prompt = [{ kind: 'text', id: `${id}-prompt`, text: `Question ${turn}` }] as const
  await log.append({ kind: 'turn-started', turn: id, ...parent, origin: { is: 'new' }, prompt })
  report('prompt', turn + 1)
  await log.append({ kind: 'step-started', turn: id, model: 'model-1' })
  await log.append({ kind: 'part-started', turn: id, value: { kind: 'text', id: `${id}-answer`, text: '' } })
  await answer(id)
  await log.append({ kind: 'turn-ended', turn: id, state: 'done' })
}

/** Some 200 words a second, as a fast model gives them. */
async function answer(turn: string): Promise<void> {
  let offset = 0
  for (let count = 0; count < 150; count++) {
    const text = `word${words} `
    void log.append({ kind: 'text-delta', turn, part: `${turn}-answer`, offset, text })
    offset += text.length
    words++
    if (count % 10 === 0) report('words', words)
    await new Promise<void>(resolve => systemClock.later(5, resolve))
  }
}

function report(kind: 'prompt' | 'words', count: number): void {
  process.stdout.write(`${JSON.stringify({ at: Date.now(), kind, count })}\n`)
}
