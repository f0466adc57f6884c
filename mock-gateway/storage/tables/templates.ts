import type { Insertable, Selectable } from 'kysely'

/** Kind of a template: a page, a mail, or a partial that others include by name. */
export type TemplateKind = 'page' | 'receipt' | 'partial'

export interface TemplateTable {
  /** `EVERYBODY` for templates from files. */
  merchant_id: number
  /** Number of the template, counted for each merchant. */
  id: number
  name: string
  kind: TemplateKind
  /** The merchant's source. */
  source: string
  /** The source prepared for rendering, see templates/prepare.ts. */
  prepared: string
  created_at: number
  updated_at: number
}

export type TemplateRow = Selectable<TemplateTable>
export type NewTemplateRow = Insertable<TemplateTable>
