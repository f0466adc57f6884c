import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import type { Queries } from '../../../mock-gateway/storage/tables/schema.ts'
import { MERCHANT, type TransactionOrError } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { OWN_DATABASES, sharedPlace } from '../storage/databases.ts'
import { addTransactions, ROWS, TRANSACTION_KINDS } from './fixture.ts'
import { expectedPage, type ListedRow, type Query } from './oracle.ts'
import { filterQueries, orderQueries, valuesOf } from './queries.ts'

const STRANGER = { ...MERCHANT, id: 2 }

/**
 * Lets the database sort text by the rules of a language, like some PostgreSQL servers. Lists must
 * not depend on it.
 */
async function sortAsPeopleDo(db: Queries) {
  for (const [column, kind] of Object.entries(TRANSACTION_KINDS))
    if (kind === 'text' || kind === 'word')
      await sql`alter table transactions alter column ${sql.ref(column)} type text collate "en-x-icu"`.execute(
        db,
      )
}

/** List of transactions with known rows. */
interface KnownList {
  readonly rows: readonly ListedRow[]
  page(
    query: Query,
  ): Promise<object & { readonly ids?: readonly number[]; readonly contentRange?: string | null }>
  /** Sends each call, and expects the answer that oracle.ts calculates. */
  expectAsExpected(queries: readonly Query[]): Promise<void>
}

/** Defines the tests of filters, orders and pages of a list. */
function definePages({ rows, page, expectAsExpected }: KnownList): void {
  describe('is filtered by', () => {
    test.each(Object.keys(TRANSACTION_KINDS))('%s', async (field) => {
      await expectAsExpected(
        filterQueries(TRANSACTION_KINDS, rows).filter((query) => `filter[${field}]` in query),
      )
    })

    test('several fields in one request', async () => {
      await expectAsExpected([
        { 'filter[status]': 'approved', 'filter[test]': 'true' },
        {
          'filter[amount]': '0.01..',
          'filter[currency]': 'SEK',
          'filter[created_at]': '20260101..',
        },
        { 'filter[payment_ref]': 'ord*', 'filter[customer_id]': '1..10', order_by: 'amount:desc' },
        {
          'filter[card_type]': '*card',
          'filter[id]': '..50',
          'filter[updated_at]': '..20260314',
          limit: '3',
          offset: '1',
        },
      ])
    })

    test('parts of a masked card number', async () => {
      await expectAsExpected([
        { 'filter[card_number]': '411111******1111', limit: '100' },
        { 'filter[card_number]': '4111*', limit: '100' },
        { 'filter[card_number]': '*4444', limit: '100' },
        { 'filter[card_number]': '*444', limit: '100' },
        { 'filter[card_number]': '4*4444', limit: '100' },
      ])
    })
  })

  test.each(Object.keys(TRANSACTION_KINDS))(
    'is ordered by %s, ascending and descending',
    async (field) => {
      await expectAsExpected(
        orderQueries(TRANSACTION_KINDS).filter(({ order_by }) => order_by?.split(':')[0] === field),
      )
    },
  )

  test('shows the ten newest rows by default', async () => {
    await expectAsExpected([{}])
    expect((await page({})).ids).toHaveLength(10)
  })

  test.each(['amount', 'card_holder:desc', 'created_at', 'id', 'status:desc'])(
    'ordered by %s contains every row once over its pages',
    async (order_by) => {
      const whole = expectedPage(rows, TRANSACTION_KINDS, { order_by, limit: '1000' }).ids
      const pages: number[] = []
      for (let offset = 0; offset < ROWS; offset += 7)
        pages.push(...((await page({ order_by, limit: '7', offset: String(offset) })).ids ?? []))
      expect(pages).toEqual(whole)
    },
  )

  test('has the expected rows for random fields and values', async () => {
    const filter = fc
      .constantFrom(...Object.entries(TRANSACTION_KINDS))
      .chain(([field, kind]) =>
        fc.constantFrom(...valuesOf(kind)).map((value) => [`filter[${field}]`, value] as const),
      )
    const query = fc
      .record({
        filters: fc.array(filter, { maxLength: 3 }),
        order: fc.constantFrom(...Object.keys(TRANSACTION_KINDS)),
        direction: fc.constantFrom('', ':asc', ':desc'),
        limit: fc.integer({ min: 1, max: 50 }),
        offset: fc.integer({ min: 0, max: 50 }),
      })
      .map(({ filters, order, direction, limit, offset }) => ({
        ...Object.fromEntries(filters),
        order_by: order + direction,
        limit: String(limit),
        offset: String(offset),
      }))
    await fc.assert(
      fc.asyncProperty(query, (each) => expectAsExpected([each])),
      { numRuns: 40 },
    )
  })
}

describe.each(OWN_DATABASES)('a list on %s', async (_name, open) => {
  const target = await sharedPlace(open)
  const shop = await sharedGateway({
    database: target,
    merchants: [MERCHANT, STRANGER],
    madeUpRows: true,
  })
  const database = await openDatabase(target)
  if (database.dialect === 'postgres') await sortAsPeopleDo(database.db)
  const rows = await addTransactions(database.db, [MERCHANT.id, STRANGER.id])
  await database.close()

  async function page(query: Query) {
    const { status, headers, body } = await shop.get<TransactionOrError[]>(
      '/v1/transactions',
      query,
    )
    return status === 200
      ? { ids: body.map(({ id }) => id), contentRange: headers.get('content-range') }
      : { query, status, body, explain: headers.get('mondido-explain') }
  }

  async function expectAsExpected(queries: readonly Query[]) {
    expect(queries).not.toEqual([])
    for (const query of queries)
      expect({ query, ...(await page(query)) }).toEqual({
        query,
        ...expectedPage(rows, TRANSACTION_KINDS, query),
      })
  }

  definePages({ rows, page, expectAsExpected })
})
