// The loop of a turn: L2, and L3 in `count` conversations.
import { interruptChats } from '../../support/interruptedChat.ts'
import { watchRuns } from '../../support/watchedRuns.ts'
import type { PartOptions } from './part.ts'
import type { Row } from './rows.ts'

/** In so many there are more than 1,000 interruptions. */
const CHATS = 600

export async function run({ count = CHATS }: PartOptions): Promise<readonly Row[]> {
  const runs = watchRuns()
  const loops = runs.filter(({ isLoop }) => isLoop)
  const good = runs.filter(({ isLoop }) => !isLoop)
  const noticed = loops.filter(({ isPaused }) => isPaused).length
  const alarms = good.filter(({ isNoticed }) => isNoticed).length
  const { stops, steers, kills, lost, doubled, ranTwice, open, messages, calls } = await interruptChats(count)
  const about = `${stops} stops, ${steers} steers, ${kills} kills; ${messages} messages, ${calls} calls`
  const broken = lost + doubled + ranTwice + open
  return [
    row('L2', 'loops noticed within 5 repeats', '100 %', `${noticed} of ${loops.length}`, noticed === loops.length),
    row('L2', 'false alarms on good runs', '0', `${alarms} of ${good.length}`, alarms === 0),
    row(
      'L3',
      'messages lost, doubled; calls run twice, left open',
      '0, 0; 0, 0',
      `${lost}, ${doubled}; ${ranTwice}, ${open} (${about})`,
      broken === 0,
    ),
  ]
}

const row = (id: string, metric: string, target: string, measured: string, isMet: boolean): Row => ({
  ...{ id, metric, target, measured, isMet },
})
