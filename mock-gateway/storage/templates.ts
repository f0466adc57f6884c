import { sql } from 'kysely'
import { deleteRows } from './rows.ts'
import type { Queries } from './tables/schema.ts'
import type { NewTemplateRow, TemplateRow } from './tables/templates.ts'

/** Owner of the templates that every merchant can use. */
export const EVERYBODY = 0

const usable = (queries: Queries, merchantId: number) =>
  queries.selectFrom('templates').selectAll().where('merchant_id', 'in', [EVERYBODY, merchantId])

/**
 * Finds a template that a merchant can use. If two have the same number, the shared template from a
 * file wins.
 */
export async function findTemplate(
  queries: Queries,
  merchantId: number,
  id: number,
): Promise<TemplateRow | undefined> {
  return await usable(queries, merchantId)
    .where('id', '=', id)
    .orderBy('merchant_id')
    .limit(sql.lit(1))
    .executeTakeFirst()
}

/** Lists the templates that a merchant can use, by number. */
export async function listTemplates(queries: Queries, merchantId: number): Promise<TemplateRow[]> {
  return await usable(queries, merchantId).orderBy('id').orderBy('merchant_id').execute()
}

/** Lists the merchants' own templates, or those of one merchant. */
export async function findTemplatesOfMerchants(
  queries: Queries,
  merchantId?: number,
): Promise<TemplateRow[]> {
  const rows = queries.selectFrom('templates').selectAll().where('merchant_id', '!=', EVERYBODY)
  const own = merchantId === undefined ? rows : rows.where('merchant_id', '=', merchantId)
  return await own.orderBy('merchant_id').orderBy('id').execute()
}

/** Reads the templates that a merchant's templates may include. */
export async function findPartials(queries: Queries, merchantId: number): Promise<TemplateRow[]> {
  return await usable(queries, merchantId)
    .where('kind', '=', 'partial')
    .orderBy('merchant_id', 'desc')
    .execute()
}

/** Stores a template; it replaces the template with its number. */
export async function keepTemplate(queries: Queries, row: NewTemplateRow): Promise<TemplateRow> {
  const { merchant_id: _merchant, id: _id, created_at: _created, ...changes } = row
  return await queries
    .insertInto('templates')
    .values(row)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'id']).doUpdateSet(changes))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Replaces all shared templates. */
export async function replaceTemplatesOfEverybody(
  queries: Queries,
  rows: readonly NewTemplateRow[],
): Promise<void> {
  await deleteRows(queries, 'templates', { merchant_id: EVERYBODY })
  if (rows.length > 0) await queries.insertInto('templates').values(rows).execute()
}
