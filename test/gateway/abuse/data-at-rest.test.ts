import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'

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
