import type { Ambient } from '../domain/ambient.ts'
import { calculateCardExpiry } from '../domain/card/expiry.ts'
import { createHrefToken, createLinkToken, createStoredCardToken } from '../domain/identifiers.ts'
import { parseAmount } from '../domain/money/money.ts'
import { getPresetSettings } from '../domain/presets.ts'
import { type Database, isUniqueViolation } from '../storage/database.ts'
import { countOn, type FixtureTable, isStillUnused } from '../storage/fixtures.ts'
import { insertLogEvents } from '../storage/log-events.ts'
import { findAllMerchants, updateMerchant } from '../storage/merchants.ts'
import { byIds } from '../storage/prepared.ts'
import { findAll, insertRow, insertRows, type NewRow, updateRow } from '../storage/rows.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { NewTemplateRow, TemplateRow } from '../storage/tables/templates.ts'
import type { TemplateProblem } from '../templates/problems.ts'
import { type PreparedInput, prepareInput, saveTemplate } from '../templates/save.ts'
import { createOutcome, findContradiction } from './fixture-outcome.ts'
import { badFixtures, type Fixtures } from './fixtures.ts'
import { hashPasswordQuickly } from './password.ts'
import { keyColumns, seedMerchants } from './seed.ts'
import { merchantSeed } from './seed-schema.ts'

export interface LoadDependencies {
  readonly database: Database
  readonly randomBytes: Ambient['randomBytes']
  /** Epoch milliseconds; the default of every time. */
  readonly now: number
  /** Loads only into unused data: if several gateways start simultaneously, one of them loads. */
  readonly onlyFirst?: boolean
  /** Logs the problems of a template. */
  readonly checkTemplate: (row: NewTemplateRow) => Promise<readonly TemplateProblem[]>
}

/** Result of loading fixtures. */
export interface LoadedFixtures {
  /** How many rows of each kind. */
  readonly loaded: Readonly<Record<keyof Fixtures, number>>
  /** Problems of the templates. */
  readonly problems: readonly (TemplateProblem & {
    readonly merchant_id: number
    readonly template_id: number
  })[]
}

/** Tables in the order of loading: rows refer to rows of earlier tables. */
export const TABLES = [
  'plans',
  'payment_links',
  'customers',
  'stored_cards',
  'transactions',
] as const

/** Columns that refer to rows of the file. */
const REFERENCES = {
  plan_id: 'plans',
  payment_link_id: 'payment_links',
  customer_id: 'customers',
  stored_card_id: 'stored_cards',
} as const

/** New ids of the file's rows by their ids in the file, with the merchant of each. */
type NewIds = Record<
  FixtureTable,
  Map<number, { readonly id: number; readonly merchantId: number }>
>

/** One loading of a file. */
interface Loading extends LoadDependencies {
  readonly file: Fixtures
  readonly queries: Queries
  readonly given: NewIds
  readonly merchantIds: ReadonlySet<number>
}

/**
 * Adds the rows of a file. Free ids are kept; references to other ids are updated.
 * @throws errors.request.bad_format (253); then no row was added
 */
export async function loadFixtures(
  dependencies: LoadDependencies,
  file: Fixtures,
): Promise<LoadedFixtures> {
  const { database, onlyFirst, checkTemplate } = dependencies
  const merchantIds = await loadMerchants(dependencies, file.merchants)
  const given = Object.fromEntries(TABLES.map((table) => [table, new Map()])) as NewIds
  const written = await Promise.all(file.templates.map(prepareInput))
  const templates = await database.write(async (queries) => {
    if (onlyFirst && !(await isStillUnused(queries, database.dialect))) return []
    const loading = { ...dependencies, file, queries, given, merchantIds }
    for (const table of TABLES) await loadTable(loading, table)
    await linkStoredCards(loading)
    return saveTemplates(loading, written)
  })
  const problems: LoadedFixtures['problems'][number][] = []
  for (const row of templates)
    for (const problem of await checkTemplate(row))
      problems.push({ merchant_id: row.merchant_id, template_id: row.id, ...problem })
  const counts = Object.entries(file).map(([name, { length }]) => [name, length] as const)
  return { loaded: Object.fromEntries(counts) as LoadedFixtures['loaded'], problems }
}

/** Loads the rows with a free id first, so that new ids do not take theirs. */
async function loadTable(loading: Loading, table: FixtureTable): Promise<void> {
  const { file, queries, database } = loading
  const rows = file[table].map((row, index) => ({ row, where: `${table}[${index}]` }))
  const ids = rows.flatMap(({ row }) => row.id ?? [])
  if (new Set(ids).size < ids.length) throw badFixtures(`two ${table} have the same id`)
  const known = await byIds(ids, (id) => findAll<FixtureTable>(queries, table, { id }))
  const taken = new Set(known.map(({ id }) => id))
  const isKept = ({ row: { id } }: (typeof rows)[number]) => id !== undefined && !taken.has(id)
  const { kept = [], moved = [] } = Object.groupBy(rows, (each) =>
    isKept(each) ? 'kept' : 'moved',
  )
  for (const { row, where } of kept) await loadRow(loading, table, row, where, row.id)
  await countOn(queries, database.dialect, table)
  for (const { row, where } of moved) await loadRow(loading, table, row, where, undefined)
}

/** @param where place of the row in the file */
async function loadRow(
  loading: Loading,
  table: FixtureTable,
  row: FixtureRow,
  where: string,
  kept: number | undefined,
): Promise<void> {
  const { queries, given } = loading
  const merchantId = getOwner(loading, row, where)
  const id = await insertOne(
    queries,
    table,
    {
      ...fillColumns(loading, table, row, where),
      ...follow(row, given, merchantId, where),
      merchant_id: merchantId,
      id: kept,
    },
    where,
  )
  if (row.id !== undefined) given[table].set(row.id, { id, merchantId })
  if ('refunds' in row)
    await insertParts(queries, loading, row, { merchant_id: merchantId, transaction_id: id })
}

/** Returns the merchant of a row; by default, the first. */
function getOwner(
  { merchantIds }: Loading,
  { merchant_id }: { readonly merchant_id?: number | undefined },
  where: string,
): number {
  const [first] = merchantIds
  const owner = merchant_id ?? first
  if (owner !== undefined && merchantIds.has(owner)) return owner
  throw badFixtures(`${where}.merchant_id: there is no merchant ${owner}`)
}

/** Cards and transactions refer to each other, so cards get their transaction last. */
async function linkStoredCards({ file, queries, given }: Loading): Promise<void> {
  for (const [index, { id, transaction_id }] of file.stored_cards.entries()) {
    if (transaction_id === null) continue
    const card = id === undefined ? undefined : given.stored_cards.get(id)
    const used = given.transactions.get(transaction_id)
    if (!card || !used || card.merchantId !== used.merchantId)
      throw badFixtures(
        `stored_cards[${index}].transaction_id must be the id of a transaction of the same merchant in the file`,
      )
    await updateRow(queries, 'stored_cards', card.id, { transaction_id: used.id })
  }
}

async function saveTemplates(
  loading: Loading,
  written: readonly (Fixtures['templates'][number] & PreparedInput)[],
): Promise<TemplateRow[]> {
  const saved: TemplateRow[] = []
  for (const [index, template] of written.entries()) {
    const merchantId = getOwner(loading, template, `templates[${index}]`)
    const at = template.updated_at ?? loading.now
    saved.push(await saveTemplate(loading.queries, merchantId, template.id, template, at))
  }
  return saved
}

/**
 * Creates new merchants and changes existing ones, but not their passwords.
 * @returns the ids of all
 */
async function loadMerchants(
  { database, now }: LoadDependencies,
  merchants: Fixtures['merchants'],
): Promise<Set<number>> {
  const known = new Set((await findAllMerchants(database.db)).map(({ id }) => id))
  const added = merchants.flatMap((merchant, index) => {
    if (known.has(merchant.id)) return []
    const seed = merchantSeed.safeParse(merchant)
    if (seed.success) return [seed.data]
    throw badFixtures(`merchants[${index}] is a new merchant, so it needs a password and a secret`)
  })
  await seedMerchants(database, added, now, { hash: hashPasswordQuickly })
  for (const { id, name, secret, settings, preset, private_key } of merchants.filter(({ id }) =>
    known.has(id),
  )) {
    const given = { ...(name !== undefined && { name }), ...(secret !== undefined && { secret }) }
    const changes = {
      ...keyColumns({ private_key }),
      settings: { ...getPresetSettings(preset), ...settings },
    }
    await updateMerchant(database.db, id, { ...given, ...changes, updated_at: now })
  }
  return new Set([...known, ...added.map(({ id }) => id)])
}

type FixtureRow = Fixtures[FixtureTable][number]

function fillColumns(
  { now, randomBytes }: LoadDependencies,
  table: FixtureTable,
  row: FixtureRow,
  where: string,
): object {
  const dated = {
    created_at: row.created_at ?? now,
    updated_at: row.updated_at ?? row.created_at ?? now,
  }
  if (table === 'stored_cards') {
    const card = row as Fixtures['stored_cards'][number]
    const token = card.token ?? createStoredCardToken(randomBytes)
    return {
      ...card,
      ...dated,
      token,
      expires: calculateCardExpiry(card.card_expiry),
      transaction_id: null,
    }
  }
  if (table === 'payment_links') {
    const { token = createLinkToken(randomBytes) } = row as Fixtures['payment_links'][number]
    return { ...row, ...dated, token }
  }
  if (table !== 'transactions') return { ...row, ...dated }
  const described = row as Fixtures['transactions'][number]
  const contradiction = findContradiction(described)
  if (contradiction !== undefined) throw badFixtures(`${where}.${contradiction}`)
  const { captures: _captures, refunds: _refunds, ...payment } = described
  const parsed = parseAmount(payment.amount)
  return {
    ...payment,
    ...createOutcome(described, randomBytes, dated.updated_at),
    ...dated,
    amount: parsed.ok ? parsed.value : null,
    amount_text: payment.amount,
    href_token: payment.href_token ?? createHrefToken(randomBytes, dated.created_at),
  }
}

function follow(row: FixtureRow, given: NewIds, merchantId: number, where: string): object {
  const followed: Record<string, number> = {}
  for (const [column, table] of Object.entries(REFERENCES)) {
    const named = (row as Readonly<Record<string, unknown>>)[column]
    if (typeof named !== 'number') continue
    const found = given[table].get(named)
    if (found?.merchantId !== merchantId)
      throw badFixtures(`${where}.${column} must be the id of a row in ${table} of the file`)
    followed[column] = found.id
  }
  return followed
}

async function insertOne(
  queries: Queries,
  table: FixtureTable,
  row: object,
  where: string,
): Promise<number> {
  try {
    return (await insertRow<FixtureTable>(queries, table, row as NewRow<FixtureTable>)).id
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw badFixtures(`${where} has the same ref, payment_ref or token as another row`)
  }
}

async function insertParts(
  queries: Queries,
  { now }: LoadDependencies,
  { status, captures, refunds }: Fixtures['transactions'][number],
  of: { readonly merchant_id: number; readonly transaction_id: number },
): Promise<void> {
  const created = {
    transaction_id: of.transaction_id,
    event_type: 'payment',
    data: { event: 'created', process: status !== 'pending' },
  } as const
  await insertLogEvents(queries, [{ ...created, created_at: now }])
  for (const { created_at = now, ...capture } of captures)
    await insertRows(queries, 'captures', [{ ...capture, ...of, created_at }])
  for (const { created_at = now, ...refund } of refunds)
    await insertRow(queries, 'refunds', { ...refund, ...of, created_at })
}
