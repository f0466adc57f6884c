import { sql } from 'kysely'
import type { SeedPosition } from '../domain/chance.ts'
import type { Queries } from './tables/schema.ts'

/** Stores a seed whose first stream the caller draws from. */
export async function insertSeed(
  queries: Queries,
  merchantId: number,
  { seed, stream }: Pick<SeedPosition, 'seed' | 'stream'>,
): Promise<void> {
  const row = { seed, free_stream: null, drawn: null }
  await queries
    .insertInto('seeds')
    .values({ merchant_id: merchantId, streams: stream + 1, ...row })
    .onConflict((conflict) =>
      conflict.column('merchant_id').doUpdateSet({
        ...row,
        // A stream that another gateway uses is never started again.
        streams: sql`case when seeds.seed = ${seed} and seeds.streams > ${stream + 1}
          then seeds.streams else ${stream + 1} end`,
      }),
    )
    .execute()
}

/**
 * Takes a stream of every seed: one that a gateway freed at its end, or a new one. Two gateways
 * never share a stream.
 */
export async function takeSeeds(queries: Queries): Promise<ReadonlyMap<number, SeedPosition>> {
  const taken = new Map<number, SeedPosition>()
  for (const { merchant_id, seed, free_stream, drawn } of await queries
    .selectFrom('seeds')
    .selectAll()
    .execute()) {
    const update = queries.updateTable('seeds').where('merchant_id', '=', merchant_id)
    const { numUpdatedRows } = await update
      .set({ free_stream: null, drawn: null })
      .where('free_stream', '=', free_stream)
      .executeTakeFirst()
    if (free_stream !== null && drawn !== null && numUpdatedRows === 1n)
      taken.set(merchant_id, { seed, stream: free_stream, drawn })
    else {
      const existing = await update
        .set(({ eb }) => ({ streams: eb('streams', '+', 1) }))
        .returning('streams')
        .executeTakeFirst()
      if (existing) taken.set(merchant_id, { seed, stream: existing.streams - 1, drawn: 0 })
    }
  }
  return taken
}

/** Frees streams for the next gateway. */
export async function leaveSeeds(
  queries: Queries,
  positions: ReadonlyMap<number, SeedPosition>,
): Promise<void> {
  for (const [merchantId, { seed, stream, drawn }] of positions)
    await queries
      .updateTable('seeds')
      .set({ free_stream: stream, drawn })
      .where('merchant_id', '=', merchantId)
      .where('seed', '=', seed)
      .execute()
}

/** Tables whose rows have random tokens. */
const TABLES = [
  'transactions',
  'stored_cards',
  'authentications',
  'webhook_deliveries',
  'payment_links',
] as const

/**
 * Returns the highest id of each table whose rows have tokens: it grows with every new token.
 * @param merchantId undefined: rows of all merchants
 */
export async function findNewestIds(
  queries: Queries,
  merchantId?: number,
): Promise<readonly number[]> {
  const whose = merchantId === undefined ? sql`` : sql`where merchant_id = ${merchantId}`
  const newest = TABLES.map(
    (table) =>
      sql`(select coalesce(max(id), 0) from ${sql.table(table)} ${whose}) as ${sql.ref(table)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(newest)}`.execute(queries)
  return TABLES.map((table) => Number(rows[0]?.[table] ?? 0))
}
