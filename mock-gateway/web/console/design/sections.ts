import { html, type SafeHtml } from '../../pages/html.ts'
import { emptyState } from './empty.ts'
import { type Table, table } from './table.ts'

/** A list on a page that has others. */
interface Section extends Table {
  readonly title: string
  /** How many rows the whole list has; null where nobody has counted. */
  readonly total: number | string | null
  /** Where the whole list is; null where all of it is here. */
  readonly all: string | null
}

/** Renders lists below each other. */
export const sections = (lists: readonly Section[]): SafeHtml =>
  html`${lists.map(
    (list) => html`<section>
<h2>${list.title}${list.total ? html` <span class="quiet">${list.total}</span>` : null}</h2>
${
  list.rows.length > 0
    ? html`${table(list)}
${list.all && html`<p><a href="${list.all}">All${list.total ? ` ${list.total}` : null}</a></p>`}`
    : emptyState('None.')
}
</section>
`,
  )}`
