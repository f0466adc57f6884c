import { type Selectable, sql, type Updateable } from 'kysely'
import type { MerchantTable, Queries } from './schema.ts'

export type MerchantRow = Selectable<MerchantTable>

export function findMerchant(queries: Queries, id: number): Promise<MerchantRow | undefined> {
  return queries.selectFrom('merchants').selectAll().where('id', '=', id).executeTakeFirst()
}

/** A merchant and until when its login is locked, if it is: what every authenticated request asks first. */
export function findMerchantLogin(
  queries: Queries,
  id: number,
): Promise<(MerchantRow & { locked_until: number | null }) | undefined> {
  return queries
    .selectFrom('merchants')
    .leftJoin('login_failures', (join) => join.on(sql<boolean>`login_failures.username = cast(merchants.id as text)`))
    .selectAll('merchants')
    .select('login_failures.locked_until')
    .where('merchants.id', '=', id)
    .executeTakeFirst()
}

/** Keeps an existing merchant as it is. @returns true when it was new */
export async function insertMerchant(queries: Queries, row: MerchantRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('merchants')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateMerchant(
  queries: Queries,
  id: number,
  changes: Omit<Updateable<MerchantTable>, 'id'>,
): Promise<void> {
  await queries.updateTable('merchants').set(changes).where('id', '=', id).execute()
}

/** Sets the key pair of a merchant that has none yet; the first of two processes wins. */
export async function setFirstKeys(
  queries: Queries,
  id: number,
  keys: { privateKey: string; publicKey: string },
): Promise<void> {
  await queries
    .updateTable('merchants')
    .set({ private_key: keys.privateKey, public_key: keys.publicKey })
    .where('id', '=', id)
    .where('private_key', 'is', null)
    .execute()
}
