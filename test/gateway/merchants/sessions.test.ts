import { beforeAll, expect, test } from 'vitest'
import { seedMerchants } from '../../../mock-gateway/merchants/seed.ts'
import { createSessions, SESSION_MS } from '../../../mock-gateway/merchants/sessions.ts'
import { createSeededBytes, handSetClock, MERCHANT } from '../../helpers/gateway.ts'
import { useDatabase } from '../storage/databases.ts'

const database = useDatabase()
const clock = handSetClock()
const randomBytes = createSeededBytes('sessions')
const sessionsWith = (controlKey: string | undefined) =>
  createSessions({ database: database(), randomBytes, machine: clock.now, controlKey })
beforeAll(async () => {
  await seedMerchants(database(), [MERCHANT], clock.now())
})

test('a session is found only with its token, by every gateway on the data, until it ends', async () => {
  const sessions = sessionsWith('a control key')
  const token = await sessions.begin({ merchantId: MERCHANT.id })
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await sessionsWith('a control key').find(token)).toEqual({ merchantId: MERCHANT.id })
  expect(await sessions.find(`${token}x`)).toBeUndefined()
  await sessions.end(token)
  expect(await sessions.find(token)).toBeUndefined()
})

test('a session ends after twelve hours of machine time, and is then deleted', async () => {
  const sessions = sessionsWith('a control key')
  const token = await sessions.begin({ merchantId: MERCHANT.id })
  clock.advance(SESSION_MS - 1)
  expect(await sessions.find(token)).toBeDefined()
  clock.advance(1)
  expect(await sessions.find(token)).toBeUndefined()
  await sessions.begin({ merchantId: MERCHANT.id })
  expect(await database().db.selectFrom('console_sessions').selectAll().execute()).toHaveLength(1)
})

test.each([['another control key'], [undefined]])('%s logs out the administrator', async (key) => {
  const token = await sessionsWith('a control key').begin({ merchantId: undefined })
  expect(await sessionsWith(key).find(token)).toBeUndefined()
})
