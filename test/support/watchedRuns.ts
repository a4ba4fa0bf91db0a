// `watchRuns`: what the loop watch makes of the recorded runs.
import { LoopDetector } from '../../src/core/agent/loopDetector.ts'
import { callsOf, recordedRuns } from '../fixtures/agentRuns.ts'

export interface WatchedRun {
  readonly name: string
  readonly isLoop: boolean
  /** The first thing that was noticed, and the turn was paused. */
  readonly isNoticed: boolean
  readonly isPaused: boolean
}

export function watchRuns(): readonly WatchedRun[] {
  return recordedRuns.map(run => {
    const detector = new LoopDetector()
    let revision = 0
    const seen = callsOf(run).map(({ name, input, result, isWrite }) => {
      if (isWrite) revision++
      const content = [{ kind: 'text', text: result }] as const
      return detector.add({ name, input, result: { outcome: 'ok', content }, revision }).is
    })
    return {
      name: run.name,
      isLoop: run.isLoop,
      isNoticed: seen.some(is => is !== 'none'),
      isPaused: seen.includes('pause'),
    }
  })
}
