import { html, type SafeHtml } from '../../pages/html.ts'
import { type Table, table } from './table.ts'

/** One of several lists on a page. */
interface Section extends Table {
  readonly title: string
  /** Number of rows in the whole list; null if unknown. */
  readonly total: number | string | null
  /** Address of the whole list; null if all rows are here. */
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
    : html`<p class="quiet">None.</p>`
}
</section>
`,
  )}`
