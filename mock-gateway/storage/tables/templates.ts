import type { Insertable, Selectable } from 'kysely'
import { id, moment, type TableOf, text } from './columns.ts'

/** Kind of a template: a page, a mail, or a partial that others include by name. */
export type TemplateKind = 'page' | 'receipt' | 'partial'

export const templateColumns = {
  /** `EVERYBODY` for templates from files. */
  merchant_id: id(),
  /** Number of the template, counted for each merchant. */
  id: id(),
  name: text(),
  kind: text<TemplateKind>(),
  /** The merchant's source. */
  source: text(),
  /** The source prepared for rendering, see templates/prepare.ts. */
  prepared: text(),
  created_at: moment(),
  updated_at: moment(),
}

type TemplateTable = TableOf<typeof templateColumns>

export type TemplateRow = Selectable<TemplateTable>
export type NewTemplateRow = Insertable<TemplateTable>
