import { describe, expect, test } from 'vitest'
import { createMerchant, payment, URLS } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { cardOf, pathOf, payerAt, queryOf } from './payer.ts'

const ALWAYS = createMerchant(2, { three_d_secure: 'always' })
const OFF = createMerchant(3, { three_d_secure: 'off' })

const shop = await sharedGateway({ merchants: [ALWAYS, OFF] })

describe('the setting always', () => {
  test('lets a server payment wait for its payer too, and continues after the bank’s answer', async () => {
    const { body } = await shop.as(ALWAYS).post('/v1/transactions', payment(URLS))
    expect(body).toMatchObject({ status: '3ds pending', mpi_ref: null })
    const payer = payerAt(shop)
    const bank = await payer.open(`/v1/acs/payment/${body.href.split('/').at(-1)}`)
    expect(bank.html).toContain('data-testid="bank-code"')
    const { address } = await payer.pressContinue(
      (await payer.atBank(bank.address, { code: '1234' })).html,
    )
    expect(queryOf(address)).toMatchObject({ transaction_id: String(body.id), status: 'approved' })
    const paid = (await shop.as(ALWAYS).get(`/v1/transactions/${body.id}`)).body
    expect(paid).toMatchObject({
      status: 'approved',
      mpi_ref: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  test('does not change the course of a 3-D Secure card', async () => {
    const { body } = await shop
      .as(ALWAYS)
      .post('/v1/transactions', payment({ card_number: cardOf(1) }))
    expect(body).toMatchObject({ status: 'approved', mpi_ref: expect.stringMatching(/./) })
  })
})

test('with the setting off no card gets a challenge, also on the payment page', async () => {
  const { body } = await shop.as(OFF).post('/v1/transactions', payment({ ...URLS, process: false }))
  const paid = await shop.browser.send(
    'POST',
    pathOf(body.href),
    String(
      new URLSearchParams({
        card_number: cardOf(10),
        card_holder: 'Kim Berg',
        card_expiry: '1230',
        card_cvv: '200',
      }),
    ),
  )
  expect(queryOf(paid.headers.get('location') ?? '')).toMatchObject({ status: 'approved' })
  expect((await shop.as(OFF).get(`/v1/transactions/${body.id}`)).body).toMatchObject({
    mpi_ref: null,
  })
})
