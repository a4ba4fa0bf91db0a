// `tableText`: the rows of a table as text that other programs read.

export type TableFormat = 'markdown' | 'tsv'

/** The first row is the head. */
export function tableText(rows: readonly (readonly string[])[], format: TableFormat): string {
  const plain = rows.map(row => row.map(cell => cell.replace(/\s+/g, ' ').trim()))
  if (format === 'tsv') return plain.map(row => row.map(spreadsheetCell).join('\t')).join('\n')
  const [head = [], ...body] = plain.map(row => row.map(cell => cell.replace(/[\\|]/g, '\\$&')))
  return [head, head.map(() => '---'), ...body].map(row => `| ${row.join(' | ')} |`).join('\n')
}

/** A spreadsheet would run a text that begins like a formula. */
const spreadsheetCell = (cell: string) => (/^[=+@]|^-(?![\d.,]+%?$)/.test(cell) ? `'${cell}` : cell)
