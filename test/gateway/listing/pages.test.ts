import { expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import { readListing } from '../../../mock-gateway/parsing/listing.ts'
import { readPage, type Scope } from '../../../mock-gateway/storage/list.ts'
import { insertRow } from '../../../mock-gateway/storage/rows.ts'
import { LISTED_FIELDS, type ListedTable } from '../../../mock-gateway/storage/tables/schema.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { insertWebhooks } from '../../../mock-gateway/storage/webhooks.ts'
import { onEveryDatabase } from '../storage/databases.ts'
import { NOW, newMerchant, transactionRow, webhookRow } from '../storage/new-rows.ts'
import { TEXTS } from './fixture.ts'
import { expectedPage, type Kinds, type ListedRow, type Query } from './oracle.ts'
import { filterQueries, orderQueries } from './queries.ts'

onEveryDatabase((database) => {
  async function page(table: ListedTable, scope: Scope, query: Query) {
    const filters = Object.entries(query).flatMap(([name, value]) => {
      const field = /^filter\[(.*)\]$/.exec(name)?.[1]
      return field === undefined ? [] : [[field, value]]
    })
    const listing = readListing(
      { ...query, filter: Object.fromEntries(filters) },
      LISTED_FIELDS[table],
    )
    const { batches, total } = await readPage(
      database().db,
      database().dialect,
      table,
      scope,
      listing,
    )
    const ids: number[] = []
    for await (const rows of batches) ids.push(...rows.map(({ id }) => id))
    return { ids, total }
  }

  async function expectAsExpected(
    table: ListedTable,
    scope: Scope,
    rows: readonly ListedRow[],
    kinds: Kinds,
    queries: readonly Query[],
  ) {
    for (const query of queries) {
      const { ids, contentRange } = expectedPage(rows, kinds, query)
      const total = Number(contentRange.split('/')[1])
      expect({ query, ...(await page(table, scope, query)) }).toEqual({ query, ids, total })
    }
  }

  test('refunds and webhooks are filtered and ordered', async () => {
    const merchantId = await newMerchant(database().db)
    const [refunds, webhooks]: [ListedRow[], ListedRow[]] = [[], []]
    for (const [index, text] of TEXTS.entries()) {
      const { id } = await insertTransaction(database().db, transactionRow(merchantId))
      const part = {
        merchant_id: merchantId,
        transaction_id: id,
        created_at: NOW + index * 3_600_000,
      }
      refunds.push({
        ...(await insertRow(database().db, 'refunds', {
          ...part,
          amount: hundredths(index * 7),
          reason: text,
        })),
      })
      const [webhook] = await insertWebhooks(database().db, [
        webhookRow(part, { ...part, url: text }),
      ])
      if (webhook) webhooks.push({ ...webhook })
    }
    const common: Kinds = { created_at: 'date', id: 'number', transaction_id: 'number' }
    for (const [table, rows, kinds] of [
      ['refunds', refunds, { ...common, amount: 'money', reason: 'text' }],
      [
        'webhooks',
        webhooks,
        { ...common, trigger: 'text', type: 'text', url: 'text', email: 'text' },
      ],
    ] as const)
      await expectAsExpected(table, { merchantId }, rows, kinds, [
        ...filterQueries(kinds, rows),
        ...orderQueries(kinds),
      ])
  })

  test.each(Object.entries(LISTED_FIELDS))(
    '%s can be filtered by the largest possible numbers',
    async (table, fields) => {
      const scope = { merchantId: await newMerchant(database().db) }
      const numbers = Object.entries(fields).flatMap(([field, type]) =>
        type === 'integer' ? [field] : [],
      )
      for (const field of numbers)
        for (const bound of [
          '2147483648',
          '-9007199254740991',
          '9007199254740991',
          '2147483648..',
          '..-2147483649',
        ])
          expect(await page(table as ListedTable, scope, { [`filter[${field}]`]: bound })).toEqual({
            ids: [],
            total: 0,
          })
    },
  )

  test.each(Object.keys(LISTED_FIELDS) as ListedTable[])(
    'a merchant without rows has an empty list of %s',
    async (table) => {
      const scope = { merchantId: await newMerchant(database().db) }
      expect(await page(table, scope, {})).toEqual({ ids: [], total: 0 })
      expect(await page(table, scope, { 'filter[id]': '1..', order_by: 'created_at' })).toEqual({
        ids: [],
        total: 0,
      })
    },
  )
})
