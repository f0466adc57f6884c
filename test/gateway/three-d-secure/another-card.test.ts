/** Tests of a payer who returns from the bank and pays with another card. */

import { expect, test } from 'vitest'
import { signAnswer } from '../../../mock-gateway/acquirer/three-d-secure/signed-answer.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { CARD, type Fields, payment, prepared } from '../../helpers/gateway.ts'
import { share } from '../../helpers/shared.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { filePlace, sharedPlace } from '../storage/databases.ts'
import { cardOf, hiddenField, pathOf, payerAt, queryOf } from './payer.ts'

const CHALLENGED = { card_number: cardOf(10) }

const target = await sharedPlace(filePlace)
const shop = await sharedGateway({ database: target })
const data = await share(openDatabase(target))

const payer = () => payerAt(shop)
const newOrder = (): Fields => ({ payment_ref: payment().payment_ref })
const attemptsOf = ({ payment_ref }: Fields) =>
  data.db
    .selectFrom('transactions')
    .select(['id', 'status', 'error_name'])
    .where('payment_ref', '=', String(payment_ref))
    .orderBy('id')
    .execute()
const statuses = async (order: Fields) => (await attemptsOf(order)).map(({ status }) => status)
const prepare = async (order: Fields) => {
  const { status, body } = await shop.post('/v1/transactions', prepared(order))
  expect(status).toBe(200)
  return new URL(body.href).pathname
}
const submit = async (path: string, over: Fields = {}) =>
  payer().follow(await shop.browser.submit(path, { ...CARD, ...over }))
/** Returns a function that pays a prepared order with the form or on its payment page. */
const prepareToPay = async (by: string, order: Fields) => {
  const path = await prepare(order)
  return (over: Fields = {}) =>
    by === 'the form' ? payer().pay({ ...order, ...over }) : submit(path, over)
}
/** Returns the CRes that the bank would send. */
const cresAt = async ({ address }: { readonly address: string }) => {
  const row = await data.db
    .selectFrom('authentications')
    .select(['ref', 'key'])
    .where('token', '=', address.split('/').at(-1) ?? '')
    .executeTakeFirstOrThrow()
  return signAnswer({ ref: row.ref, result: 'Y' }, row.key)
}
const returnWith = async (cres: string) =>
  payer().follow(await shop.browser.post<string>('/v1/mpi_js/return', { hash: undefined, cres }))

test('a form with another card fails the challenged payment, and the log has the reason', async () => {
  const order = newOrder()
  const bank = await payer().pay({ ...order, ...CHALLENGED })
  expect(queryOf((await payer().pay(order)).address)).toMatchObject({ status: 'approved' })
  expect(await statuses(order)).toEqual(['failed', 'approved'])
  const [abandoned] = await attemptsOf(order)
  const { body } = await shop.get(`/v1/transactions/${abandoned?.id}`)
  expect(body.error).toMatchObject({ code: 1290, name: 'errors.payment.canceled' })
  expect(body.log_events.map(({ data }) => data.event)).toContain('gave_way')
  // A payer who presses Forward to the bank gets the result.
  expect(queryOf((await payer().open(pathOf(bank.address))).address)).toMatchObject({
    status: 'failed',
  })
})

test("the first card's late CRes is rejected with error 1690 and a log entry", async () => {
  const order = newOrder()
  const bank = await payer().pay({ ...order, ...CHALLENGED })
  const cres = await cresAt(bank)
  const next = await payer().pay({ ...order, ...CHALLENGED })
  expect(await statuses(order)).toEqual(['failed', '3ds pending'])
  expect((await returnWith(cres)).html).toContain('data-error="errors.mpi.invalid"')
  const [abandoned] = await attemptsOf(order)
  const { body } = await shop.get(`/v1/transactions/${abandoned?.id}`)
  expect(body.log_events.at(-1)?.data).toMatchObject({
    event: 'authentication_refused',
    reason: 'left',
  })
  expect(queryOf((await returnWith(await cresAt(next))).address)).toMatchObject({
    status: 'approved',
  })
  expect(await statuses(order)).toEqual(['failed', 'approved'])
})

test.each([['the form'], ['the page']])(
  '%s rejects another card after the bank has answered',
  async (by) => {
    const order = newOrder()
    const pay = await prepareToPay(by, order)
    const bank = await pay(CHALLENGED)
    const answered = await payer().atBank(bank.address, { action: 'code', code: '1234' })
    const before = await statuses(order)
    const again = await pay()
    if (by === 'the form')
      expect(queryOf(again.address).error_name).toBe('errors.payment_ref.processed')
    else
      expect(again.html).toMatch(
        /<h1>(?:Bekräfta betalningen hos din bank|Confirm the payment at your bank)/,
      )
    expect(await statuses(order)).toEqual(before)
    expect(queryOf((await returnWith(hiddenField(answered.html, 'cres'))).address)).toMatchObject({
      status: 'approved',
    })
  },
)

test.each([['the form'], ['the page']])(
  "the order is paid once if the bank's answer and another card arrive together: %s",
  async (by) => {
    for (let round = 0; round < 6; round++) {
      const order = newOrder()
      const pay = await prepareToPay(by, order)
      const bank = await pay(CHALLENGED)
      const cres = await cresAt(bank)
      const attempts = [() => returnWith(cres), () => pay()]
      await Promise.all((round % 2 ? attempts : attempts.toReversed()).map((start) => start()))
      const after = (await statuses(order)).filter((status) => status !== 'pending')
      expect(after.filter((status) => status === 'approved')).toHaveLength(1)
      expect(after.filter((status) => status === '3ds pending')).toEqual([])
    }
  },
)
