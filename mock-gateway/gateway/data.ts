import type { Ambient, Logger } from '../domain/ambient.ts'
import { createRandomSource, type RandomSource } from '../domain/chance.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { OptionError } from '../domain/options.ts'
import { ADMINISTRATOR } from '../merchants/control-key.ts'
import type { LoadDependencies } from '../merchants/load-fixtures.ts'
import { createVerifiedPasswords, type VerifiedPasswords } from '../merchants/password.ts'
import { resumeSeeds } from '../merchants/random-seeds.ts'
import {
  getDefaultSettings,
  type MerchantSeed,
  refuseDefaultSecrets,
  seedMerchants,
} from '../merchants/seed.ts'
import { type Clocks, createClocks } from '../scheduler/clocks.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { isUnused } from '../storage/fixtures.ts'
import { unlockLogins } from '../storage/login-failures.ts'
import type { NewTemplateRow } from '../storage/tables/templates.ts'
import { type TemplateFolder, watchTemplates } from '../templates/folder.ts'
import { Templates } from '../templates/templates.ts'
import type { CheckedOptions, GatewayOptions } from './options.ts'

/** Data of a gateway, and the templates that it renders. */
export interface GatewayData {
  readonly database: Database
  readonly clocks: Clocks
  readonly chance: RandomSource
  readonly verified: VerifiedPasswords
  readonly templates: Templates
  /** Undefined if no folder of templates is given. */
  readonly folder: TemplateFolder | undefined
}

/**
 * Opens the database, and adds clocks, merchants, fixtures and templates.
 * @throws OptionError with the problem and its path, DefaultSecretsError, the database's own error
 */
export async function openData(
  given: CheckedOptions,
  options: GatewayOptions,
): Promise<GatewayData> {
  const { ambient, logger, merchants, ownSecretsOnly } = given
  const database = await openDatabase(given.database, given.secretsKey)
  const verified = createVerifiedPasswords()
  const templates = new Templates((facts, message) => logger.warn(facts, message))
  const checkTemplate = (row: NewTemplateRow) => templates.checkTemplate(database.db, row)
  try {
    const seeding = {
      ...ambient,
      database,
      verified,
      merchants,
      ownSecretsOnly,
      logger,
      checkTemplate,
    }
    const chance = createRandomSource(ambient.randomBytes)
    const seeded = await seedData(seeding, options)
    await resumeSeeds({ database, chance })
    return { database, chance, verified, templates, ...seeded }
  } catch (error) {
    await database.close()
    throw error
  }
}

interface SeedDependencies extends Omit<LoadDependencies, 'now'> {
  readonly now: Ambient['now']
  readonly verified: VerifiedPasswords
  readonly merchants: readonly MerchantSeed[]
  readonly ownSecretsOnly: boolean
  readonly logger: Logger
}

async function seedData(
  dependencies: SeedDependencies,
  options: GatewayOptions,
): Promise<Pick<GatewayData, 'clocks' | 'folder'>> {
  const { database, logger, checkTemplate } = dependencies
  const clocks = await createClocks(database, dependencies.now)
  if (options.clock !== undefined && clocks.getMode() === 'real')
    await clocks.release('frozen', Number(options.clock))
  const undone = await seedMerchants(database, dependencies.merchants, clocks.now(), {
    verified: dependencies.verified,
    settings: getDefaultSettings(dependencies.ownSecretsOnly),
  })
  for (const id of undone)
    logger.warn(
      { merchant_id: id },
      `The start-up configuration restored an old secret or password of merchant ${id}. Write the rotated values there.`,
    )
  await database.write((queries) => unlockLogins(queries, ADMINISTRATOR))
  if (options.fixtures !== undefined)
    await loadInitialFixtures({ ...dependencies, now: clocks.now() }, options.fixtures)
  if (dependencies.ownSecretsOnly) await refuseDefaultSecrets(database, clocks.now)
  const folder =
    options.templates && (await openTemplates(database, options.templates, logger, checkTemplate))
  return { clocks, folder: folder || undefined }
}

/** Loads fixtures into an empty database. @throws OptionError with the problem and its path */
async function loadInitialFixtures(
  dependencies: LoadDependencies,
  fixtures: unknown,
): Promise<void> {
  const { readFixtures } = await import('../merchants/fixtures.ts')
  const { loadFixtures } = await import('../merchants/load-fixtures.ts')
  try {
    const file = readFixtures(fixtures)
    if (await isUnused(dependencies.database.db))
      await loadFixtures({ ...dependencies, onlyFirst: true }, file)
  } catch (error) {
    throw error instanceof GatewayError ? new OptionError(error.explain ?? error.message) : error
  }
}

/** @throws OptionError if the folder cannot be read */
async function openTemplates(
  database: Database,
  folder: string,
  logger: Logger,
  checkTemplate: LoadDependencies['checkTemplate'],
): Promise<TemplateFolder> {
  try {
    return await watchTemplates(
      database,
      folder,
      (message) => logger.warn({}, message),
      checkTemplate,
    )
  } catch (error) {
    throw new OptionError(
      `The folder of templates ${folder} cannot be read: ${(error as Error).message}`,
    )
  }
}
