import { copyFile, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { payment, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { filePlace, type Place } from '../storage/databases.ts'
import { API } from './outcomes.ts'

let place: Place
let shop: TestGateway
beforeEach(async () => {
  place = await filePlace()
  shop = await startGateway({ database: place.target })
})
afterEach(async () => {
  await shop.close()
  await place.remove()
})

const UNAVAILABLE = { name: 'errors.service_not_available', code: 243 }
const pay = () => shop.post(API, payment())

describe('while another process holds the write lock of the data file', () => {
  let other: DatabaseSync
  beforeEach(async () => {
    await pay()
    other = new DatabaseSync(place.target)
    other.exec('begin immediate')
  })
  afterEach(() => other.close())

  test('reads continue, and a payment is made as soon as the lock is released', async () => {
    const paying = pay()
    await setTimeout(20)
    // A read that waited for the lock would end only after the payment was refused.
    for (let read = 0; read < 3; read++) expect((await shop.get(API)).status).toBe(200)
    other.exec('rollback')
    expect((await paying).status).toBe(200)
  })

  test('payments that have waited for 5 seconds are rejected with status 503 and not made', async () => {
    const before = (await shop.get<unknown[]>(API)).body
    const answers = await Promise.all([pay(), pay()])
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, body: UNAVAILABLE })
      expect(answer.headers.get('mondido-explain')).toMatch(/Another process/)
    }
    other.exec('rollback')
    expect((await shop.get(API)).body).toEqual(before)
    expect((await pay()).status).toBe(200)
  })
})

describe('a data file that was moved', () => {
  const moved = () => rename(place.target, `${place.target}.moved`)
  async function replaced() {
    await moved()
    await copyFile(`${place.target}.moved`, place.target)
  }

  test.each([
    ['deleted', () => rm(place.target)],
    ['moved', moved],
    ['replaced', replaced],
    ['without its journal', () => rm(`${place.target}-wal`)],
  ])(
    'is detected if it is %s: writes are rejected with status 503 instead of being lost',
    async (_how, away) => {
      await pay()
      await away()
      const answer = await pay()
      expect(answer).toMatchObject({ status: 503, body: UNAVAILABLE })
      expect(answer.headers.get('mondido-explain')).toMatch(
        /deleted or replaced.*restart the gateway/,
      )
      expect((await shop.get<unknown[]>(API)).body).toHaveLength(1)
    },
  )

  test('is used again after it is moved back', async () => {
    await moved()
    expect((await pay()).status).toBe(503)
    await rename(`${place.target}.moved`, place.target)
    expect((await pay()).status).toBe(200)
  })
})
