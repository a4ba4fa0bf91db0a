// One measured number of the agent against its target, and the table of them.

export interface Row {
  /** As in the design of the agent, such as `K1`. */
  readonly id: string
  readonly metric: string
  readonly target: string
  readonly measured: string
  readonly isMet: boolean
}

export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ id, metric, target, measured, isMet }) => [
    id,
    metric,
    target,
    measured,
    isMet ? 'met' : 'MISSED',
  ])
  const all = [['', 'metric', 'target', 'measured', ''], ...cells]
  const widths = all[0]?.map((_, at) => Math.max(...all.map(row => row[at]?.length ?? 0))) ?? []
  return all
    .map(row =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
