import { findNextId } from '../storage/merchants.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { NewTemplateRow, TemplateKind, TemplateRow } from '../storage/tables/templates.ts'
import { EVERYBODY, keepTemplate } from '../storage/templates.ts'

/** Kinds of templates. */
export const TEMPLATE_KINDS: readonly TemplateKind[] = ['page', 'receipt', 'partial']

/** Longest source of a template, in characters (our decision). */
export const SOURCE_LENGTH = 64 * 1024

/** A name by which other templates include it, and part of a file name. */
export const TEMPLATE_NAME = /^[\w-]{1,50}$/

/** A template as its author writes it. */
export interface TemplateInput {
  readonly name: string
  readonly kind: TemplateKind
  readonly source: string
}

/** A template that is ready for rendering. */
export interface PreparedInput extends TemplateInput {
  readonly prepared: string
}

/** Prepares a template for rendering, before it is stored. */
export async function prepareInput<Input extends TemplateInput>(
  written: Input,
): Promise<Input & PreparedInput> {
  const { prepare } = await import('./prepare.ts')
  return { ...written, prepared: (await prepare(written.source, written.kind)).prepared }
}

/**
 * Creates the row of a template.
 * @param now epoch milliseconds
 */
export const createTemplateRow = (
  merchantId: number,
  id: number,
  { name, kind, source, prepared }: PreparedInput,
  now: number,
): NewTemplateRow => ({
  merchant_id: merchantId,
  ...{ id, name, kind, source, prepared },
  created_at: now,
  updated_at: now,
})

/** Stores a template under this number, or a new one. */
export async function saveTemplate(
  queries: Queries,
  merchantId: number,
  id: number | undefined,
  written: PreparedInput,
  now: number,
): Promise<TemplateRow> {
  const number = id ?? (await findNextId(queries, 'templates', [EVERYBODY, merchantId]))
  return keepTemplate(queries, createTemplateRow(merchantId, number, written, now))
}
