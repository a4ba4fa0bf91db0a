// The next edit: how often the right one is shown, and how soon a changed name is carried on.
import { renameTenUses, runSequences } from '../core/nextEdit/sequences.ts'
import type { Row } from './row.ts'

export async function nextEdits(): Promise<Row[]> {
  const { count, missed, wrong } = await runSequences()
  const half = count / 2
  const rename = await renameTenUses()
  return [
    { what: 'next edit, right where one follows', value: (100 * (half - missed.length)) / half, unit: '%' },
    { what: '  shown where none follows', value: (100 * wrong.length) / half, unit: '%' },
    { what: '  name of ten uses, first hint', value: rename.firstHintMs, unit: 'ms' },
    { what: '  places changed, of ten', value: rename.changes, unit: '' },
    { what: '  requests to a model', value: rename.requests, unit: '' },
  ]
}
