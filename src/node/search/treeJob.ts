// `RunningJob`: a job with the threads that know it.
import type { FoundPlace, TreeJob, TreeMember } from './treeMessages.ts'

export class RunningJob {
  readonly id: number
  readonly #of: TreeJob
  readonly #members = new Set<TreeMember>()

  constructor(id: number, of: TreeJob) {
    this.id = id
    this.#of = of
  }

  async begin(member: TreeMember): Promise<void> {
    if (this.#members.has(member)) return
    this.#members.add(member)
    await member.ask({ kind: 'begin', job: this.id, of: this.#of })
  }

  async find(member: TreeMember): Promise<readonly FoundPlace[]> {
    await this.begin(member)
    return (await member.ask({ kind: 'find', job: this.id })).places
  }

  /** The threads forget it. */
  end(): void {
    for (const member of this.#members) {
      if (!member.isEnded) member.ask({ kind: 'end', job: this.id }).catch(() => {})
    }
  }
}
