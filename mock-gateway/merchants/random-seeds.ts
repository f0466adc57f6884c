import type { RandomSource } from '../domain/chance.ts'
import type { Database } from '../storage/database.ts'
import { deleteRows, findOne } from '../storage/rows.ts'
import { findNewestIds, insertSeed, leaveSeeds, takeSeeds } from '../storage/seeds.ts'

export interface SeedDependencies {
  readonly database: Database
  readonly chance: RandomSource
}

/** The id of the seed of all merchants. */
const ALL = 0

/**
 * Makes tokens and references predictable. Existing data count as a part of the seed, because a
 * token is unique, so the same seed can be set again at any time.
 * @param merchantId undefined: all merchants without a seed of their own
 */
export async function setSeed(
  { database, chance }: SeedDependencies,
  text: string,
  merchantId: number | undefined,
): Promise<void> {
  const whose = merchantId === undefined ? [] : [`merchant ${merchantId}`]
  const seed = [...whose, text, ...(await findNewestIds(database.db, merchantId))].join(' ')
  const position = { seed, stream: 0, drawn: 0 }
  await database.write((queries) => insertSeed(queries, merchantId ?? ALL, position))
  chance.seed(position, merchantId)
}

/** Deletes a random seed: tokens and references are random again. */
export async function clearSeed(
  { database, chance }: SeedDependencies,
  merchantId: number | undefined,
): Promise<void> {
  await database.write((queries) =>
    deleteRows(queries, 'seeds', { merchant_id: merchantId ?? ALL }),
  )
  chance.seed(undefined, merchantId)
}

/** Continues the seeds of the gateway that ran before. */
export async function resumeSeeds({ database, chance }: SeedDependencies): Promise<void> {
  if (!(await findOne(database.db, 'seeds'))) return
  for (const [merchantId, position] of await database.write(takeSeeds))
    chance.seed(position, merchantId)
}

/** Stores the seeds for the next gateway. After a crash the next gateway draws other values. */
export async function storeSeeds({ database, chance }: SeedDependencies): Promise<void> {
  if (chance.positions().size > 0)
    await database.write((queries) => leaveSeeds(queries, chance.positions()))
}
