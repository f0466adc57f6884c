import { beforeAll, expect, test } from 'vitest'
import { seedMerchants } from '../../../mock-gateway/merchants/seed.ts'
import {
  createPasses,
  createSessions,
  SESSION_MS,
} from '../../../mock-gateway/merchants/sessions.ts'
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

test('an internal pass logs in its own merchant, only while the work that it was created for runs', async () => {
  const passes = createPasses(createSeededBytes('passes'))
  const kept = await passes.during(7, async (password) => {
    expect(password).toHaveLength(43)
    expect([7, 1, ''].map((id) => passes.isPass(String(id), password))).toEqual([
      true,
      false,
      false,
    ])
    return password
  })
  expect(passes.isPass('7', kept)).toBe(false)
  const failed = passes.during(7, async (password) => Promise.reject(new Error(password)))
  const { message } = await failed.catch((error: Error) => error)
  expect(passes.isPass('7', String(message))).toBe(false)
  expect(passes.isPass('undefined', 'never issued')).toBe(false)
})
