import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { payment, type TestGateway } from '../../helpers/gateway.ts'
import { openGateway } from '../../helpers/shared-gateway.ts'
import { openTestPlace } from '../storage/databases.ts'
import { API } from './outcomes.ts'

describe('data at rest', () => {
  let home: string
  let data: string
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'at-rest-'))
    data = join(home, 'data')
  })
  afterEach(() => rm(home, { recursive: true }))

  const run = (flags: readonly string[] = [], env = {}): Promise<RunningGateway> =>
    runGateway(['--data', data, '--port', '0', ...flags], { LOG_LEVEL: 'silent', ...env }, () => {})
  const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

  describe('other users of the machine', () => {
    async function modes() {
      const gateway = await run()
      const files = (await readdir(data)).filter((name) => name.startsWith('gateway.db'))
      const seen = await Promise.all(files.map((name) => mode(join(data, name))))
      await gateway.close()
      return { folder: await mode(data), files: [...new Set(seen)], count: files.length }
    }

    test('have no rights in a new data folder', async () => {
      expect(await modes()).toEqual({ folder: '700', files: ['600'], count: 3 })
    })

    test('lose their rights in a folder that was open before', async () => {
      await modes()
      for (const [path, open] of [
        [data, 0o755],
        [join(data, 'gateway.db'), 0o644],
      ] as const)
        await chmod(path, open)
      expect(await modes()).toEqual({ folder: '700', files: ['600'], count: 3 })
    })

    test('keep their rights in a folder with other files, except for the gateway’s files', async () => {
      await mkdir(data, { mode: 0o755 })
      await writeFile(join(data, 'README.md'), 'A shop')
      expect(await modes()).toMatchObject({ folder: '755', files: ['600'] })
    })
  })

  describe('a secrets key', () => {
    const KEY = { MONDIDO_SECRETS_KEY: 'ab'.repeat(32) }
    const BASE64 = { MONDIDO_SECRETS_KEY: Buffer.from('ab'.repeat(32), 'hex').toString('base64') }
    const OTHER = { MONDIDO_SECRETS_KEY: 'cd'.repeat(32) }

    const bytes = async () => {
      const names = (await readdir(data)).filter((name) => name.startsWith('gateway.db'))
      return Buffer.concat(
        await Promise.all(names.map((name) => readFile(join(data, name)))),
      ).toString('latin1')
    }
    async function runs(env = {}) {
      const gateway = await run([], env)
      const library = await (await fetch(`${gateway.url}/v2/mondido.js?merchant_id=1`)).text()
      const whileRunning = await bytes()
      await gateway.close()
      return {
        key: /-----BEGIN PUBLIC KEY[^"'`]*/.exec(library)?.[0],
        bytes: whileRunning + (await bytes()),
      }
    }
    const refused = (env = {}) =>
      run([], env).then(
        () => 'started',
        (error: Error) => error.message,
      )

    test('keeps the merchant’s secret and private key out of the files, and the gateway can read both again', async () => {
      const first = await runs(KEY)
      for (const secret of ['sandbox-secret', 'PRIVATE KEY'])
        expect(first.bytes).not.toContain(secret)
      expect(first.key).toBeDefined()
      expect(await runs(BASE64)).toMatchObject({ key: first.key })
    })

    test('encrypts plain secrets at the next start, and no plain copy remains', async () => {
      const clear = await runs()
      for (const secret of ['sandbox-secret', 'PRIVATE KEY']) expect(clear.bytes).toContain(secret)
      expect((await runs(KEY)).key).toBe(clear.key)
      const after = await bytes()
      for (const secret of ['sandbox-secret', 'PRIVATE KEY']) expect(after).not.toContain(secret)
    })

    test('a wrong or missing secrets key stops the start, and the message names the needed key', async () => {
      await runs(KEY)
      const needed = /aes-256-gcm:([0-9a-f]{8}):/.exec(await bytes())?.[1]
      expect(await refused(OTHER)).toMatch(`encrypted with the key "${needed}"`)
      expect(await refused()).toMatch(`give the key "${needed}" with --secrets-key`)
      expect(await refused(KEY)).toBe('started')
    })

    test.each(['short', 'g'.repeat(64), 'ab'.repeat(31)])(
      '%s is rejected, and the message does not repeat it',
      async (text) => {
        const said = await refused({ MONDIDO_SECRETS_KEY: text })
        expect(said).toMatch(/32 bytes/)
        expect(said).not.toContain(text)
      },
    )
  })
})

describe('a damaged data file', () => {
  let target: string
  let shop: TestGateway
  beforeEach(async () => {
    target = await openTestPlace()
    shop = await openGateway({ database: target })
  })

  const UNAVAILABLE = { name: 'errors.service_not_available', code: 243 }
  const pay = () => shop.post(API, payment())

  describe('while another process holds the write lock of the data file', () => {
    let other: DatabaseSync
    beforeEach(async () => {
      await pay()
      other = new DatabaseSync(target)
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
    const moved = () => rename(target, `${target}.moved`)
    async function replaced() {
      await moved()
      await copyFile(`${target}.moved`, target)
    }

    test.each([
      ['deleted', () => rm(target)],
      ['moved', moved],
      ['replaced', replaced],
      ['without its journal', () => rm(`${target}-wal`)],
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
      await rename(`${target}.moved`, target)
      expect((await pay()).status).toBe(200)
    })
  })
})
