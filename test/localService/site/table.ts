// A table that becomes a list of cards where the page is narrow.
import { html } from 'hono/html'
import type { Html } from '../page.ts'

export interface Table {
  /** The id of the heading that names it. */
  readonly namedBy: string
  readonly columns: readonly string[]
  /** The first cell names its row. */
  readonly rows: readonly Row[]
  /** Shown where there are no rows. */
  readonly empty: string
}

export interface Row {
  readonly cells: readonly [Html | string, ...(Html | string)[]]
  /** True for what is over. */
  readonly isPast?: boolean
}

/** The roles are written out, because a browser forgets them where the style makes cards of rows. */
export const table = ({ namedBy, columns, rows, empty }: Table): Html =>
  html`<table role="table" aria-labelledby="${namedBy}"><thead role="rowgroup"><tr role="row">
${columns.map(name => html`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.length > 0 ? rows.map(row => tableRow(columns, row)) : emptyRow(columns, empty)}</tbody></table>`

const tableRow = (columns: readonly string[], { cells: [first, ...others], isPast = false }: Row): Html =>
  html`<tr role="row" class="${isPast ? 'past' : ''}"><th role="rowheader" scope="row">${first}</th>
${others.map((cell, at) => html`<td role="cell" data-column="${columns[at + 1]}">${cell}</td>`)}</tr>`

const emptyRow = (columns: readonly string[], empty: string): Html =>
  html`<tr role="row"><td role="cell" colspan="${columns.length}">${empty}</td></tr>`
