import { describe, expect, test } from 'vitest'
import { CARD, encode, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES, sharedPlace } from '../storage/databases.ts'
import { times } from './at-once.ts'

describe.each(DATABASES)('%s', async (_name, open) => {
  const shop = await sharedGateway({ database: await sharedPlace(open) })

  async function prepare(over = {}) {
    const { body } = await shop.post('/v1/transactions', prepared(over))
    return { id: body.id, path: new URL(body.href).pathname }
  }
  const pay = (path: string, card_cvv = '200') =>
    shop.browser.send<string>('POST', path, encode({ ...CARD, card_cvv }))
  const read = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body
  const charges = async (id: number) =>
    (await read(id)).log_events.filter(({ data }) => data.event === 'charged').length
  const leadTo = (answers: readonly { readonly headers: Headers }[]) =>
    new Set(answers.map(({ headers }) => headers.get('location')))

  test('one of 50 parallel submissions pays, and all lead to the same result', async () => {
    const { id, path } = await prepare()
    const answers = await times(50, () => pay(path))
    expect([...leadTo(answers)]).toEqual([expect.stringContaining('status=approved')])
    expect([await charges(id), (await read(id)).status]).toEqual([1, 'approved'])
  })

  test('one of two pages of one order, submitted in parallel, is paid', async () => {
    const pages = [
      await prepare({ payment_ref: 'one order' }),
      await prepare({ payment_ref: 'one order' }),
    ]
    const answers = await times(10, (index) => pay(pages[index % 2]?.path ?? ''))
    const paid = await Promise.all(pages.map(async ({ id }) => (await read(id)).status))
    expect(paid.sort()).toEqual(['approved', 'pending'])
    expect((await Promise.all(pages.map(({ id }) => charges(id)))).sort()).toEqual([0, 1])
    for (const { status, body } of answers.filter(({ status }) => status !== 303))
      expect([status, body.includes('data-error="errors.payment_ref.processed"')]).toEqual([
        422,
        true,
      ])
  })

  test('parallel declined cards use no more attempts than the page allows', async () => {
    const { id, path } = await prepare()
    for (let round = 0; round < 6; round++) await times(5, () => pay(path, '201'))
    const tried = await charges(id)
    expect(tried).toBeGreaterThan(0)
    expect(tried).toBeLessThanOrEqual(10)
  })

  test('a parallel payment and cancellation have one result', async () => {
    const { id, path } = await prepare()
    await Promise.all([pay(path), shop.browser.send('POST', path, encode({ action: 'cancel' }))])
    expect([await charges(id), (await read(id)).status]).toEqual([1, 'approved'])
  })

  test("a payment parallel to a change of its amount charges the amount on the payer's page, or nothing", async () => {
    const { id, path } = await prepare({ amount: '10.00' })
    const version = /name="version" value="([^"]+)"/.exec(
      (await shop.browser.get<string>(path)).body,
    )?.[1]
    await Promise.all([
      shop.put(`/v1/transactions/${id}`, { amount: '99.00', process: false }),
      shop.browser.send('POST', path, encode({ ...CARD, version })),
    ])
    const { status, amount } = await read(id)
    expect(['approved 10.00', 'pending 99.00']).toContain(`${status} ${amount}`)
  })
})
