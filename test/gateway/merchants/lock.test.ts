import { beforeEach, describe, expect, test } from 'vitest'
import { LOCK_AFTER, LOCK_MS } from '../../../mock-gateway/merchants/guesses.ts'
import { hashed, MERCHANT, payment, prepared, type TestMerchant } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { controlOf } from '../web/control/client.ts'

/**
 * Merchant of the current test. Its password is random, so wrong passwords are checked without
 * scrypt.
 */
let merchant: TestMerchant

const shop = await sharedGateway()

beforeEach(async () => {
  merchant = (await controlOf(shop.gateway).post<TestMerchant>('/merchants')).body
})

const login = (user: number | string, password: string) =>
  shop.browser.get(
    '/v1/transactions',
    { limit: 1 },
    { authorization: `Basic ${btoa(`${user}:${password}`)}` },
  )
const codeOf = async (user: number | string, password: string) =>
  (await login(user, password)).body.code ?? 200
const codeOfRight = ({ id, password }: TestMerchant) => codeOf(id, password)
async function failTimes(times: number, user: number | string) {
  for (let time = 0; time < times; time += 1) expect(await codeOf(user, `wrong ${time}`)).toBe(182)
}

describe('after ten failed logins in a row', () => {
  test('the account is locked also for the right password, with status 403 and error 207', async () => {
    await failTimes(10, merchant.id)
    const { status, headers, body } = await login(merchant.id, merchant.password)
    expect(status).toBe(403)
    expect(body).toMatchObject({ code: 207, name: 'errors.account.locked' })
    expect(headers.get('www-authenticate')).toBeNull()
    expect(headers.get('mondido-explain')).toContain(
      new Date(shop.clock.now() + LOCK_MS).toISOString(),
    )
  })

  test('the account is unlocked after thirty minutes, and not earlier', async () => {
    await failTimes(10, merchant.id)
    shop.clock.advance(30 * 60_000 - 1)
    expect(await codeOfRight(merchant)).toBe(207)
    shop.clock.advance(1)
    expect(await codeOfRight(merchant)).toBe(200)
  })

  test('a clock that is set back does not lock the account for longer', async () => {
    await failTimes(10, merchant.id)
    shop.clock.advance(-365 * 24 * 60 * 60_000)
    expect(await codeOfRight(merchant)).toBe(200)
    // Wrong passwords still lock the account.
    await failTimes(10, merchant.id)
    expect(await codeOfRight(merchant)).toBe(207)
    shop.clock.advance(LOCK_MS)
    expect(await codeOfRight(merchant)).toBe(200)
  })

  test('the account is also locked for a request whose clock is a second behind', async () => {
    await failTimes(10, merchant.id)
    shop.clock.advance(-1000)
    expect(await codeOfRight(merchant)).toBe(207)
    shop.clock.advance(1000)
  })

  test('other merchants are not locked, and payers can still pay this merchant', async () => {
    const { body } = await shop.as(merchant).post('/v1/transactions', prepared())
    await failTimes(10, merchant.id)
    expect(await codeOfRight(MERCHANT)).toBe(200)
    expect((await shop.browser.get<string>(new URL(body.href).pathname)).status).toBe(200)
  })
})

test('nine failures are cleared by the right password', async () => {
  for (const _round of ['first login', 'remembered password', 'remembered again']) {
    await failTimes(9, MERCHANT.id)
    expect(await codeOfRight(MERCHANT)).toBe(200)
  }
})

test('parallel attempts are all counted: at most ten passwords are checked', async () => {
  const codes = await Promise.all(
    Array.from({ length: 40 }, (_, guess) => codeOf('racer', `guess ${guess}`)),
  )
  expect(codes.filter((code) => code === 182)).toHaveLength(LOCK_AFTER)
  expect(codes.filter((code) => code === 207)).toHaveLength(30)
})

test('a locked account still accepts payments that carry a valid hash', async () => {
  await failTimes(10, merchant.id)
  const fields = hashed(payment({ merchant_id: merchant.id }), merchant)
  expect((await shop.browser.post('/v1/transactions', fields)).body.status).toBe('approved')
})
