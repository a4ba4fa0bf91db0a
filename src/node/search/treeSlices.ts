// `TreeSlices`: walks and searches the workspace without a thread, in short slices between which others can work.
import { setImmediate } from 'node:timers'
import { noProgress } from './progress.ts'
import { TreeEngine } from './treeEngine.ts'
import type { ReplyTo, TreeMember, TreeRequest } from './treeMessages.ts'

const SLICE_MS = 8

export class TreeSlices implements TreeMember {
  readonly #engine = new TreeEngine(noProgress)
  #load = 0

  readonly isEnded = false

  get load(): number {
    return this.#load
  }

  ask<R extends TreeRequest>(request: R): Promise<ReplyTo<R['kind']>> {
    this.#load++
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#load--
        try {
          const slice = 'budgetMs' in request ? { ...request, budgetMs: SLICE_MS } : request
          // as: the engine answers each kind with its own reply
          resolve(this.#engine.handle(slice) as ReplyTo<R['kind']>)
        } catch (fault) {
          reject(fault)
        }
      })
    })
  }

  end(): void {}
}
