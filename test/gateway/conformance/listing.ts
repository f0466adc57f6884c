import { expect } from 'vitest'
import type { StoredCard, Transaction } from '../../../mock-gateway/contract/wire.ts'
import { type HeldRow, row, type Section } from './rows.ts'
import type { World } from './world.ts'

const idsOf = async (
  { get }: World,
  fields: Readonly<Record<string, string | number>>,
  path = '/v1/transactions',
) =>
  (await get<readonly { readonly id: number }[]>(path, { limit: 1000, ...fields })).body.map(
    ({ id }) => id,
  )

/**
 * Field of a filter, with a value that finds `paid` (or the stored card), and a value that does
 * not.
 */
type FilterCase = readonly [field: string, found: (world: World) => string | number, missed: string]

const day = (time: string) => time.slice(0, 10).replaceAll('-', '')

const TRANSACTION_FILTERS: readonly FilterCase[] = [
  ['amount', () => '10.00', '9.99'],
  ['card_holder', () => 'Anna Andersson', 'Nobody'],
  ['card_number', () => '411111*', '5*'],
  ['card_type', () => 'VISA', 'JCB'],
  ['created_at', ({ paid }) => day(paid.created_at), '20200101'],
  ['currency', () => 'SEK', 'EUR'],
  ['customer_id', ({ customer }) => customer.id, '999999'],
  ['error_url', () => 'https://shop.example/sorry', 'https://a.example'],
  ['href_token', ({ paid }) => paid.href.slice(-22), 'x'],
  ['id', ({ paid }) => paid.id, '999999'],
  ['payment_ref', ({ paid }) => paid.payment_ref, 'nothing'],
  ['status', () => 'approved', 'failed'],
  ['stored_card_id', ({ storedCard }) => storedCard.id, '999999'],
  ['subscription_id', ({ paid }) => paid.subscription?.id ?? 0, '999999'],
  ['success_url', () => 'https://shop.example/*', 'https://a.example'],
  ['template_id', () => 3, '4'],
  ['test', () => 'true', 'false'],
  ['transaction_type', () => 'credit_card', 'recurring'],
  ['updated_at', ({ paid }) => day(paid.created_at), '20200101'],
]

const STORED_CARD_FILTERS: readonly FilterCase[] = [
  ['card_holder', () => 'Anna Andersson', 'Nobody'],
  ['card_number', () => '411111*', '5*'],
  ['card_type', () => 'VISA', 'JCB'],
  ['created_at', ({ storedCard }) => day(storedCard.created_at), '20200101'],
  ['currency', () => 'SEK', 'EUR'],
  ['customer_id', ({ customer }) => customer.id, '999999'],
  ['expires', ({ storedCard }) => day(storedCard.expires), '20200101'],
  ['id', ({ storedCard }) => storedCard.id, '999999'],
  ['status', () => 'active', 'cancelled'],
  ['test', () => 'true', 'false'],
  ['token', ({ storedCard }) => storedCard.token, 'x'],
  ['updated_at', ({ storedCard }) => day(storedCard.created_at), '20200101'],
]

const filters =
  (
    path: string,
    [field, found, missed]: FilterCase,
    wanted: (world: World) => Transaction | StoredCard,
  ): HeldRow['holds'] =>
  async (world) => {
    expect(await idsOf(world, { [`filter[${field}]`]: found(world) }, path)).toContain(
      wanted(world).id,
    )
    expect(await idsOf(world, { [`filter[${field}]`]: missed }, path)).not.toContain(
      wanted(world).id,
    )
  }

const rangeOfIds =
  (
    range: (id: number) => string,
    holds: (found: number, id: number) => boolean,
  ): HeldRow['holds'] =>
  async (world) => {
    const { id } = world.paid
    const found = await idsOf(world, { 'filter[id]': range(id) })
    expect(found).toContain(id)
    expect(found.every((one) => holds(one, id))).toBe(true)
  }

export const LISTING: Section = {
  title: 'Listing, pagination, ordering, filtering',
  rows: [
    row('limit is an integer, 10 by default', async (world) => {
      for (let more = 0; more < 11; more++) await world.prepare()
      expect((await world.get<unknown[]>('/v1/transactions')).body).toHaveLength(10)
      expect((await world.get<unknown[]>('/v1/transactions', { limit: 3 })).body).toHaveLength(3)
    }),
    row('offset is the number of records skipped', async (world) => {
      const all = await idsOf(world, {})
      expect(await idsOf(world, { offset: 2 })).toEqual(all.slice(2))
    }),
    row('start_id is the id that the list starts at', async (world) => {
      expect((await idsOf(world, { start_id: world.paid.id }))[0]).toBe(world.paid.id)
      expect((await idsOf(world, { start_id: world.paid.id, order_by: 'id' }))[0]).toBe(
        world.paid.id,
      )
    }),
    row('Content-Range reports the slice as items <first>-<last>/<total>', async ({ get }) => {
      const total = (await get('/v1/stored_cards', { limit: 1 })).headers
        .get('content-range')
        ?.split('/')[1]
      expect(
        (await get('/v1/stored_cards', { limit: 2, offset: 1 })).headers.get('content-range'),
      ).toBe(`items 2-${Math.min(3, Number(total))}/${total}`)
    }),
    row('order_by=<field> sorts ascending', async (world) => {
      const ids = await idsOf(world, { order_by: 'id' })
      expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    }),
    row('order_by=<field>:desc sorts descending', async (world) => {
      const ids = await idsOf(world, { order_by: 'id:desc' })
      expect(ids).toEqual(ids.toSorted((one, other) => other - one))
    }),
    row(
      'filter[<field>]=<value> matches strings by equality',
      filters(
        '/v1/transactions',
        ['payment_ref', ({ paid }) => paid.payment_ref, 'x'],
        ({ paid }) => paid,
      ),
    ),
    row(
      'and by wildcard',
      filters(
        '/v1/transactions',
        ['payment_ref', ({ paid }) => `*${paid.payment_ref.slice(2)}`, 'x*'],
        ({ paid }) => paid,
      ),
    ),
    row(
      'booleans match by equality',
      filters('/v1/transactions', ['test', () => 'true', 'false'], ({ paid }) => paid),
    ),
    row(
      'integers match by equality',
      rangeOfIds(
        (id) => `${id}`,
        (found, id) => found === id,
      ),
    ),
    row(
      '100.. means from 100',
      rangeOfIds(
        (id) => `${id}..`,
        (found, id) => found >= id,
      ),
    ),
    row(
      '..100 means up to 100',
      rangeOfIds(
        (id) => `..${id}`,
        (found, id) => found <= id,
      ),
    ),
    row(
      '<from>..<to> is a closed range',
      rangeOfIds(
        (id) => `${id}..${id + 1}`,
        (found, id) => found === id || found === id + 1,
      ),
    ),
    row(
      'decimals match by range',
      filters('/v1/transactions', ['amount', () => '9.99..10.01', '10.01..'], ({ paid }) => paid),
    ),
    row(
      'dates are eight digits, YYYYMMDD',
      filters(
        '/v1/transactions',
        ['created_at', () => '20260314..20260314', '20260315..'],
        ({ paid }) => paid,
      ),
    ),
    row('several filters can be combined in one query', async (world) => {
      const { id, payment_ref } = world.paid
      const fields = { 'filter[payment_ref]': payment_ref, 'filter[status]': 'approved' }
      expect(await idsOf(world, fields)).toEqual([id])
      expect(await idsOf(world, { ...fields, 'filter[status]': 'declined' })).toEqual([])
    }),
    ...TRANSACTION_FILTERS.map((one) =>
      row(
        `transactions are filterable by ${one[0]}`,
        filters('/v1/transactions', one, ({ paid }) => paid),
      ),
    ),
    ...STORED_CARD_FILTERS.map((one) =>
      row(
        `stored cards are filterable by ${one[0]}`,
        filters('/v1/stored_cards', one, ({ storedCard }) => storedCard),
      ),
    ),
  ],
}
