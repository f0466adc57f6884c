import { type ColumnType, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type GivenSettings, type MerchantSettings, readSettings } from '../domain/merchant.ts'
import { JSON_TEXT, tableCodec } from './codec.ts'
import { loginFrom } from './login-failures.ts'
import { prepared } from './prepared.ts'
import type { Queries } from './schema.ts'

export interface MerchantTable {
  id: number
  name: string
  /** scrypt, see merchants/password.ts */
  password_hash: string
  /** In clear: the request hash is MD5 over it (specification: Authentication). */
  secret: string
  private_key: string | null
  public_key: string | null
  /** Kept as given: what is left out has its default when it is read. */
  settings: ColumnType<MerchantSettings, GivenSettings, GivenSettings>
  created_at: number
  updated_at: number
}

export type MerchantRow = Selectable<MerchantTable>
export type NewMerchantRow = Insertable<MerchantTable>

export const merchantCodec = tableCodec<MerchantTable>({ settings: { encode: JSON_TEXT.encode, decode: readSettings } })

export async function findMerchant(queries: Queries, id: number): Promise<MerchantRow | undefined> {
  const row = await queries.selectFrom('merchants').selectAll().where('id', '=', id).executeTakeFirst()
  return row && merchantCodec.decode(row)
}

export async function allMerchants(queries: Queries): Promise<MerchantRow[]> {
  return (await queries.selectFrom('merchants').selectAll().orderBy('id').execute()).map(merchantCodec.decode)
}

/**
 * A merchant and its failed logins in a row from an address, null when there are none: what every authenticated request
 * asks first.
 */
export async function findMerchantLogin(
  queries: Queries,
  id: number,
  address: string,
): Promise<(MerchantRow & Record<'failures' | 'locked_until', number | null>) | undefined> {
  const [login] = await selectLogin(queries, { id, address })
  return login && { ...merchantCodec.decode(login), failures: login.failures, locked_until: login.locked_until }
}

const selectLogin = prepared({
  build: (queries, { id, address }: { readonly id: number; readonly address: string }) =>
    queries
      .selectFrom('merchants')
      .leftJoin('login_failures', (join) =>
        join.on(sql<boolean>`login_failures.username = ${loginFrom(String(id), address)}`),
      )
      .selectAll('merchants')
      .select(['login_failures.failures', 'login_failures.locked_until'])
      .where('merchants.id', '=', id),
  bind: ({ id, address }) => [loginFrom(String(id), address), id],
})

/** Keeps an existing merchant as it is. @returns true when it was new */
export async function insertMerchant(queries: Queries, row: NewMerchantRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('merchants')
    .values(merchantCodec.encode(row))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateMerchant(
  queries: Queries,
  id: number,
  changes: Omit<Updateable<MerchantTable>, 'id'>,
): Promise<void> {
  await queries.updateTable('merchants').set(merchantCodec.encode(changes)).where('id', '=', id).execute()
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
