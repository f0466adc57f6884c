import { createPrivateKey } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createDecryptor,
  type Decryptor,
} from '../../../../mock-gateway/parsing/parameters/decryptor.ts'
import { TEST_PRIVATE_KEY } from '../../../helpers/keys.ts'
import { encrypt } from '../../conformance/encrypt.ts'

const WORKER = new URL(
  '../../../../mock-gateway/parsing/parameters/decrypt-worker.ts',
  import.meta.url,
)
const privateKey = createPrivateKey(TEST_PRIVATE_KEY)
const sealed = (...texts: string[]) => ({ values: texts.map(encrypt), privateKey })
const wanted = () => undefined

/** Threads that this process has started since the test began, as reported by Node. */
let threads: Worker[]
const note = (worker: Worker) => void threads.push(worker)
let decryptor: Decryptor
beforeEach(() => {
  threads = []
  process.on('worker', note)
  decryptor = createDecryptor(WORKER, 2)
})
afterEach(async () => {
  process.off('worker', note)
  await decryptor.close()
})

test('values are returned in their order, and broken or non-text values as undefined', async () => {
  const { values } = sealed('4111', '200')
  const clear = await decryptor.decrypt(
    { values: [...values, 'broken', undefined], privateKey },
    wanted,
  )
  expect(clear).toEqual(['4111', '200', undefined, undefined])
})

test('each request gets its own values, however many run in parallel', async () => {
  const texts = Array.from({ length: 30 }, (_, index) => [`${index}`, `and ${index}`])
  expect(await Promise.all(texts.map((two) => decryptor.decrypt(sealed(...two), wanted)))).toEqual(
    texts,
  )
})

test('the calling thread continues during the decryption', async () => {
  let done = false
  const work = decryptor
    .decrypt(sealed(...Array.from({ length: 40 }, () => 'x')), wanted)
    .then(() => {
      done = true
    })
  await setImmediate()
  expect(done).toBe(false)
  await work
})

test('threads start only when they are needed, up to the limit', async () => {
  await setImmediate()
  expect(threads).toHaveLength(0)
  await decryptor.decrypt(sealed('one'), wanted)
  await decryptor.decrypt(sealed('another'), wanted)
  expect(threads).toHaveLength(1)
  await Promise.all(Array.from({ length: 9 }, () => decryptor.decrypt(sealed('of many'), wanted)))
  expect(threads).toHaveLength(2)
})

if (process.platform === 'linux')
  test('its threads have a lower priority than the main thread', async () => {
    const lower = () =>
      readdirSync('/proc/self/task').filter((thread) => getPriority(Number(thread)) > getPriority())
    const before = lower().length
    await decryptor.decrypt(sealed('one'), wanted)
    expect(lower()).toHaveLength(before + 1)
  })

test('a decryption that no request waits for any more is dropped', async () => {
  const gone = () => {
    throw new Error('gone')
  }
  const refused = expect(decryptor.decrypt(sealed('for nobody'), gone)).rejects.toThrow('gone')
  expect(await decryptor.decrypt(sealed('for somebody'), wanted)).toEqual(['for somebody'])
  await refused
})

describe('a thread that dies', () => {
  const UNAVAILABLE = {
    entry: { name: 'errors.service_not_available' },
    http: 503,
    explain: expect.stringContaining('Send the request again'),
  }

  test('ends only its own requests, and a new thread handles the next request', async () => {
    decryptor = createDecryptor(WORKER, 1)
    const answers = Array.from({ length: 5 }, (_, index) =>
      decryptor.decrypt(sealed(`${index}`), wanted),
    )
    await setImmediate()
    await threads[0]?.terminate()
    const settled = await Promise.allSettled(answers)
    expect(
      settled.map((each) => (each.status === 'fulfilled' ? each.value[0] : each.reason.http)),
    ).toEqual([503, 503, '2', '3', '4'])
    expect(threads).toHaveLength(2)
  })

  test('a thread that dies at its start causes an error, too, and the log has the reason', async () => {
    const broken = createDecryptor(new URL('data:text/javascript,throw new Error("worn out")'))
    const refused = broken.decrypt(sealed('x'), wanted)
    await expect(refused).rejects.toMatchObject({ ...UNAVAILABLE, cause: { message: 'worn out' } })
    await broken.close()
  })

  test('a thread that dies while the decryptor closes ends its requests, and later requests are rejected', async () => {
    const refused = expect(decryptor.decrypt(sealed('x'), wanted)).rejects.toMatchObject(
      UNAVAILABLE,
    )
    await decryptor.close()
    await refused
    await expect(decryptor.decrypt(sealed('x'), wanted)).rejects.toMatchObject(UNAVAILABLE)
  })
})
