import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type Fields,
  hashed,
  MERCHANT,
  payment,
  startGateway,
  type TestGateway,
} from '../../helpers/gateway.ts'
import { encrypt } from '../conformance/encrypt.ts'
import { API, outcome } from './outcomes.ts'

let shop: TestGateway
/** Threads that this process has started since the test began, as reported by Node. */
let threads: Worker[]
const note = (worker: Worker) => void threads.push(worker)
beforeEach(async () => {
  threads = []
  process.on('worker', note)
  shop = await startGateway()
})
afterEach(async () => {
  process.off('worker', note)
  await shop.close()
})

/**
 * Returns a payment with an encrypted card and the maximum number of other encrypted parameters.
 */
function costly(): Fields {
  const idle = Array.from({ length: 39 }, (_, index): [string, string] => [`idle_${index}`, IDLE])
  const names = ['card_number', ...idle.map(([name]) => name)].join()
  const card_number = encrypt('4111111111111111')
  return {
    ...hashed(payment(), MERCHANT),
    ...Object.fromEntries(idle),
    card_number,
    encrypted: names,
  }
}
const IDLE = encrypt('x')

test('requests without encrypted parameters are answered while others are decrypted', async () => {
  expect(outcome(await shop.post(API, costly()))).toBe(200)
  const [thread] = threads
  if (!thread) throw new Error('Nothing was decrypted in a thread')
  // The test decides when the thread answers.
  const begun = Promise.withResolvers<unknown>()
  const send = vi.spyOn(thread, 'postMessage').mockImplementationOnce(begun.resolve)
  let answered = false
  const create = shop.post(API, costly()).finally(() => {
    answered = true
  })
  const sealed = await begun.promise
  expect(outcome(await shop.get(API))).toBe(200)
  expect(outcome(await shop.post(API, payment()))).toBe(200)
  expect(answered).toBe(false)
  send.mockRestore()
  thread.postMessage(sealed)
  expect(outcome(await create)).toBe(200)
})

test('requests of a thread that dies are rejected with status 503, and the next request is answered', async () => {
  const [first] = await Promise.all([
    shop.post(API, costly()),
    once(process, 'worker').then(endThread),
  ])
  expect([first.status, first.body.code]).toEqual([503, 243])
  expect(first.headers.get('mondido-explain')).toContain('Send the request again')
  expect(outcome(await shop.post(API, costly()))).toBe(200)
})

const endThread = ([worker]: Worker[]) => worker?.terminate()
