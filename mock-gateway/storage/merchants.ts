import { type Selectable, sql, type Updateable } from 'kysely'
import { LAST_ID } from '../domain/identifiers.ts'
import { readSettings } from '../domain/merchant.ts'
import { atMost } from './due.ts'
import { describeLogin } from './login-failures.ts'
import { prepared } from './prepared.ts'
import { findAll, findOne, updateRows } from './rows.ts'
import { createSecrets } from './secrets.ts'
import { JSON_TEXT, type StoredTable } from './tables/codec.ts'
import { namesWithout } from './tables/columns.ts'
import {
  type MerchantRow,
  type MerchantTable,
  merchantCodec,
  merchantColumns,
  type NewMerchantRow,
} from './tables/merchants.ts'
import type { Queries } from './tables/schema.ts'

const SECRET = ['secret', 'previous_secret', 'private_key'] as const
type SecretColumns = { readonly [Name in (typeof SECRET)[number]]?: string | null | undefined }

/** Seals or opens the secrets among the columns. */
function withSecrets<Columns extends SecretColumns>(
  columns: Columns,
  id: number,
  change: (secret: string, place: string) => string,
): Columns {
  const given = SECRET.flatMap((name) => {
    const value = columns[name]
    return typeof value === 'string' ? [[name, change(value, `${id} ${name}`)]] : []
  })
  return { ...columns, ...Object.fromEntries(given) }
}

const decryptSecrets = <Columns extends SecretColumns & { readonly id: number }>(
  queries: Queries,
  columns: Columns,
): Columns => withSecrets(columns, columns.id, createSecrets(queries).open)

const encryptSecrets = <Columns extends SecretColumns>(
  queries: Queries,
  id: number,
  columns: Columns,
): Columns => withSecrets(columns, id, createSecrets(queries).seal)

/**
 * Encrypts every secret that is stored unencrypted, and reads the others to check the key.
 * @returns the number of encrypted secrets
 * @throws SecretsKeyError
 */
export async function sealMerchants(queries: Queries): Promise<number> {
  const { isSealed, seal, open } = createSecrets(queries)
  let count = 0
  for (const { id, ...kept } of await queries
    .selectFrom('merchants')
    .select(['id', ...SECRET])
    .execute()) {
    withSecrets(kept, id, open)
    const changed = withSecrets(kept, id, (secret, place) =>
      isSealed(secret) ? secret : seal(secret, place),
    )
    if (SECRET.every((name) => changed[name] === kept[name])) continue
    await queries.updateTable('merchants').set(changed).where('id', '=', id).execute()
    count += 1
  }
  return count
}

export async function findMerchant(queries: Queries, id: number): Promise<MerchantRow | undefined> {
  const row = await findOne(queries, 'merchants', { id })
  return row && decryptSecrets(queries, row)
}

/** Returns the public key; null if the merchant has no keys or does not exist. */
export const findPublicKey = async (queries: Queries, id: number): Promise<string | null> =>
  (await findOne(queries, 'merchants', { id }))?.public_key ?? null

/** Returns some merchants without their secrets, in the order of their ids. */
export const listMerchants = (
  queries: Queries,
  page: { readonly limit: number; readonly offset: number },
) =>
  queries
    .selectFrom('merchants')
    .select(['id', 'name', 'created_at', 'updated_at'])
    .orderBy('id')
    .limit(atMost(page.limit))
    .offset(page.offset)
    .execute()

/**
 * Returns the id for the next row, after the highest id that leaves another one free. A simultaneous
 * request can take it.
 * @param owners merchants whose templates have ids of their own
 */
export async function findNextId(
  queries: Queries,
  table: 'merchants' | 'templates',
  owners?: readonly number[],
): Promise<number> {
  const whose = owners ? sql`merchant_id in (${sql.join(owners)})` : sql`true`
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} as taken
    where id < ${LAST_ID} and ${whose} and not exists (
      select 1 from ${sql.table(table)} as following where following.id = taken.id + 1 and ${whose})
    order by id desc limit 1`.execute(queries)
  return Number(rows[0]?.id ?? 0) + 1
}

export const findAllMerchants = async (queries: Queries): Promise<MerchantRow[]> =>
  (await findAll(queries, 'merchants')).map((row) => decryptSecrets(queries, row))

/**
 * Returns a merchant, and its number of failed logins in a row from an address; null if there are
 * none. Every authenticated request needs both.
 */
export async function findMerchantLogin(
  queries: Queries,
  id: number,
  address: string,
): Promise<MerchantLogin | undefined> {
  const [login] = await selectLogin(queries, { id, address })
  return login && decodeFacts(queries, login)
}

/** Finds a merchant without its keys. */
export async function findMerchantFacts(
  queries: Queries,
  id: number,
): Promise<MerchantFacts | undefined> {
  const [facts] = await selectFacts(queries, { id })
  return facts && decodeFacts(queries, facts)
}

const decodeFacts = <Kept extends StoredFacts>(queries: Queries, kept: Kept) => ({
  ...decryptSecrets(queries, kept),
  settings: readSettings(kept.settings),
  webhook_overrides: JSON_TEXT.decode(kept.webhook_overrides),
})

const FACTS = namesWithout(
  merchantColumns,
  ...(['private_key', 'public_key', 'setting_changes', 'created_at', 'updated_at'] as const),
)

/** A merchant without its keys, which are long and rarely needed. */
export type MerchantFacts = Pick<MerchantRow, (typeof FACTS)[number]>
type StoredFacts = Pick<Selectable<StoredTable<MerchantTable>>, (typeof FACTS)[number]>
type MerchantLogin = MerchantFacts & Record<'failures' | 'locked_until', number | null>

const selectLogin = prepared(
  (bind, queries, _login: { readonly id: number; readonly address: string }) =>
    queries
      .selectFrom('merchants')
      .leftJoin('login_failures', (join) =>
        join.on(
          'login_failures.username',
          '=',
          bind(({ id, address }) => describeLogin(String(id), address)),
        ),
      )
      .select(FACTS)
      .select(['login_failures.failures', 'login_failures.locked_until'])
      .where('merchants.id', '=', bind('id')),
)

const selectFacts = prepared((bind, queries, _by: { readonly id: number }) =>
  queries.selectFrom('merchants').select(FACTS).where('id', '=', bind('id')),
)

/**
 * Adds a merchant unless it exists.
 * @returns true if it was new
 */
export async function insertMerchant(queries: Queries, row: NewMerchantRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('merchants')
    .values(encryptSecrets(queries, row.id, merchantCodec.encode(row)))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateMerchant(
  queries: Queries,
  id: number,
  changes: Omit<Updateable<MerchantTable>, 'id'>,
): Promise<void> {
  await updateRows(queries, 'merchants', { id }, encryptSecrets(queries, id, changes))
}

/** Locks a merchant's row until the end of the database transaction, by an update without changes. */
export async function lockMerchant(queries: Queries, id: number): Promise<void> {
  await queries
    .updateTable('merchants')
    .set((row) => ({ id: row.ref('id') }))
    .where('id', '=', id)
    .execute()
}

/** Sets the key pair of a merchant that has none yet; the first of two processes wins. */
export async function setFirstKeys(
  queries: Queries,
  id: number,
  keys: { privateKey: string; publicKey: string },
): Promise<void> {
  const columns = { private_key: keys.privateKey, public_key: keys.publicKey }
  const without = { id, private_key: null }
  await updateRows(queries, 'merchants', without, encryptSecrets(queries, id, columns))
}
