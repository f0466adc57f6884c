import type { Queries } from '../storage/tables/schema.ts'
import type { NewTemplateRow, TemplateKind, TemplateRow } from '../storage/tables/templates.ts'
import { keepTemplate, nextTemplateId } from '../storage/templates.ts'
import { prepare } from './prepare.ts'

/** Kinds of templates. */
export const TEMPLATE_KINDS: readonly TemplateKind[] = ['page', 'receipt', 'partial']

/** A name by which other templates include it, and part of a file name. */
export const TEMPLATE_NAME = /^[\w-]{1,50}$/

/** A template as its author writes it. */
export interface TemplateInput {
  readonly name: string
  readonly kind: TemplateKind
  readonly source: string
}

/**
 * Creates the row of a template.
 * @param now epoch milliseconds
 */
export const templateRow = (
  merchantId: number,
  id: number,
  { name, kind, source }: TemplateInput,
  now: number,
): NewTemplateRow => ({
  merchant_id: merchantId,
  id,
  name,
  kind,
  source,
  prepared: kind === 'page' ? prepare(source) : source,
  created_at: now,
  updated_at: now,
})

/** Stores a template under this number, or a new one. */
export async function saveTemplate(
  queries: Queries,
  merchantId: number,
  id: number | undefined,
  written: TemplateInput,
  now: number,
): Promise<TemplateRow> {
  const number = id ?? (await nextTemplateId(queries, merchantId))
  return keepTemplate(queries, templateRow(merchantId, number, written, now))
}
