import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import {
  MERCHANT,
  payment,
  startGateway,
  type TestGateway,
  type TestMerchant,
} from '../../helpers/gateway.ts'
import { filePlace, type Place } from '../storage/databases.ts'
import { controlOf } from '../web/control/client.ts'

interface Rotated {
  readonly secret: string | null
  readonly password: string | null
  readonly warning: string | null
}

/** Calculates `response_hash` according to the specification. */
const responseHashWith = (
  secret: string,
  { merchant_id, payment_ref, amount, currency, status }: Transaction,
) => hash('md5', `${merchant_id}${payment_ref}${amount}${currency}${status}${secret}`)

const SECRETS_KEY = 'ab'.repeat(32)

let next = 20
const newMerchant = (): TestMerchant => ({ ...MERCHANT, id: next++ })

let place: Place
let shop: TestGateway
const start = async (merchants: readonly TestMerchant[], seed: string) => {
  const warnings: string[] = []
  const logger = {
    info() {},
    error() {},
    warn: (_facts: object, message: string) => void warnings.push(message),
  }
  shop = await startGateway({
    database: place.target,
    merchants: [MERCHANT, ...merchants],
    secretsKey: SECRETS_KEY,
    seed,
    logger,
  })
  return warnings
}
const restart = async (merchants: readonly TestMerchant[], seed: string) => {
  await shop.close()
  return start(merchants, seed)
}
const rotate = async (id: number, fields: object = {}) =>
  (await controlOf(shop.gateway).post<Rotated>(`/merchants/${id}/rotate`, fields)).body
const forward = (hours: number) =>
  controlOf(shop.gateway).post('/clock/advance', { seconds: hours * 3600 })
/** Pays with a hash of this secret, and this password. Returns status and explanation. */
async function pay(merchant: TestMerchant, changes: Partial<TestMerchant> = {}) {
  const { status, headers, body } = await shop
    .as({ ...merchant, ...changes })
    .post('/v1/transactions', payment())
  return { status, code: body.code, explain: headers.get('mondido-explain') ?? '', body }
}

const [both, single, ended, undone, updated] = Array.from({ length: 5 }, newMerchant) as [
  TestMerchant,
  TestMerchant,
  TestMerchant,
  TestMerchant,
  TestMerchant,
]
beforeAll(async () => {
  place = await filePlace()
  await start([both, single, ended, undone, updated], 'first')
})
afterAll(async () => {
  await shop.close()
  await place.remove()
})

test('after a rotation, the old and the new secret and password are valid, and answers have the new hash', async () => {
  const rotated = await rotate(both.id, { hours: 2 })
  const now = { secret: String(rotated.secret), password: String(rotated.password) }
  expect(rotated.warning).toContain('Write the new values there')
  const [old, fresh] = [await pay(both), await pay(both, now)]
  expect([old.status, fresh.status]).toEqual([200, 200])
  expect(old.explain).toContain(
    'hash was made with the previous secret, which is valid until 2026-03-14T14:00:00.000Z',
  )
  expect(fresh.explain).toBe('')
  expect([old.body.response_hash, fresh.body.response_hash]).toEqual(
    [old.body, fresh.body].map((body) => responseHashWith(now.secret, body)),
  )
  const update = await shop
    .as(both)
    .put(`/v1/transactions/${fresh.body.id}`, { metadata: '{"a":1}', process: false })
  expect(update.status).toBe(200)
})

test('after the time limit, the old secret and password are rejected, and the explanation mentions the previous secret', async () => {
  const { secret, password } = await rotate(ended.id, { hours: 1 })
  await forward(1)
  expect((await pay(ended)).status).toBe(401)
  const refused = await pay(ended, { password: String(password) })
  expect([refused.status, refused.code]).toEqual([400, 107])
  expect(refused.explain).toContain('was hashed: the previous secret (no longer valid)')
  expect((await pay(ended, { password: String(password), secret: String(secret) })).status).toBe(
    200,
  )
})

test('secret or password can be rotated alone, and a new value set by hand ends the previous one', async () => {
  const first = await rotate(single.id, { part: 'secret' })
  expect(first.password).toBeNull()
  expect((await pay(single, { secret: String(first.secret) })).status).toBe(200)
  const second = await rotate(single.id, { part: 'password' })
  expect(second.secret).toBeNull()
  expect((await pay(single)).status).toBe(200)
  await controlOf(shop.gateway).put(`/merchants/${single.id}`, {
    secret: 'set by hand',
    password: 'set by hand',
  })
  expect((await pay(single)).status).toBe(401)
  expect((await pay(single, { password: 'set by hand' })).code).toBe(107)
  expect((await pay(single, { secret: 'set by hand', password: 'set by hand' })).status).toBe(200)
})

test('the old values end immediately with hours=0', async () => {
  const { secret, password } = await rotate(single.id, { hours: 0 })
  const now = { secret: String(secret), password: String(password) }
  expect((await pay(single, { ...now, secret: 'set by hand' })).code).toBe(107)
  expect((await pay(single, now)).status).toBe(200)
})

test('a replaced secret is stored encrypted, like the current one', async () => {
  const database = await openDatabase(place.target, SECRETS_KEY)
  const { rows } = await sql<{ previous_secret: string }>`
    select previous_secret from merchants where id = ${both.id}`.execute(database.db)
  await database.close()
  expect(rows[0]?.previous_secret).toMatch(/^aes-256-gcm:/)
})

test('a start with the old values reports that it undoes the rotation, and keeps the new ones for the same time', async () => {
  const { secret, password } = await rotate(undone.id)
  const changed = await rotate(updated.id)
  const now = { secret: String(secret), password: String(password) }
  const given = { ...updated, secret: String(changed.secret), password: String(changed.password) }
  expect(await restart([undone, given], 'second')).toEqual([
    `The start-up configuration restored an old secret or password of merchant ${undone.id}. Write the rotated values there.`,
  ])
  expect([(await pay(undone)).status, (await pay(undone, now)).status]).toEqual([200, 200])
  expect([(await pay(updated)).status, (await pay(given)).status]).toEqual([200, 200])
  await forward(24)
  expect([(await pay(undone)).status, (await pay(undone, now)).status]).toEqual([200, 401])
  expect([(await pay(updated)).status, (await pay(given)).status]).toEqual([401, 200])
})
