import { sql } from 'kysely'
import { LAST_ID } from '../domain/identifiers.ts'
import type { Queries } from './tables/schema.ts'
import type { NewTemplateRow, TemplateRow } from './tables/templates.ts'

/** Whose templates every merchant may use. */
export const EVERYBODY = 0

const usable = (queries: Queries, merchantId: number) =>
  queries.selectFrom('templates').selectAll().where('merchant_id', 'in', [EVERYBODY, merchantId])

/**
 * A template that a merchant may use: of two with one number that of everybody, which stands in a
 * file.
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

/** Those that a merchant may use, by number. */
export async function listTemplates(queries: Queries, merchantId: number): Promise<TemplateRow[]> {
  return await usable(queries, merchantId).orderBy('id').orderBy('merchant_id').execute()
}

/** Those that merchants have themselves, or one of them has. */
export async function templatesOfMerchants(
  queries: Queries,
  merchantId?: number,
): Promise<TemplateRow[]> {
  const rows = queries.selectFrom('templates').selectAll().where('merchant_id', '!=', EVERYBODY)
  const own = merchantId === undefined ? rows : rows.where('merchant_id', '=', merchantId)
  return await own.orderBy('merchant_id').orderBy('id').execute()
}

/** Reads the templates that a merchant's templates may include. */
export async function partialsOf(queries: Queries, merchantId: number): Promise<TemplateRow[]> {
  return await usable(queries, merchantId)
    .where('kind', '=', 'partial')
    .orderBy('merchant_id', 'desc')
    .execute()
}

/** Keeps a template, in the place of the one that has its number. */
export async function keepTemplate(queries: Queries, row: NewTemplateRow): Promise<TemplateRow> {
  const { merchant_id: _merchant, id: _id, created_at: _created, ...changes } = row
  return await queries
    .insertInto('templates')
    .values(row)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'id']).doUpdateSet(changes))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The number after the highest of a merchant, and of everybody, behind which one is free. */
export async function nextTemplateId(queries: Queries, merchantId: number): Promise<number> {
  const owners = [EVERYBODY, merchantId]
  const row = await queries
    .selectFrom('templates')
    .select('id')
    .where('merchant_id', 'in', owners)
    .where('id', '<', LAST_ID)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('templates as next')
            .select('next.id')
            .where('next.merchant_id', 'in', owners)
            .where(sql`next.id`, '=', sql`templates.id + 1`),
        ),
      ),
    )
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return Number(row?.id ?? 0) + 1
}

/** @returns false when there was none */
export async function removeTemplate(
  queries: Queries,
  merchantId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await queries
    .deleteFrom('templates')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Puts these in the place of all that were everybody's. */
export async function replaceTemplatesOfEverybody(
  queries: Queries,
  rows: readonly NewTemplateRow[],
): Promise<void> {
  await queries.deleteFrom('templates').where('merchant_id', '=', EVERYBODY).execute()
  if (rows.length > 0) await queries.insertInto('templates').values(rows).execute()
}
