import { execFile } from 'node:child_process'
import { constants, publicEncrypt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runGateway } from '../../../mock-gateway/cli.ts'
import { inRepository } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, type Program, runGatewayIn, startProgram } from '../../helpers/program.ts'

describe('the launcher', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const source = join(root, 'mock-gateway', 'launcher.cjs')

  /** Folder with the launcher of the package, and a command that only reports that it was reached. */
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'launcher-'))
    await mkdir(join(folder, 'dist'))
    await cp(source, join(folder, 'launcher.cjs'))
    await cp(join(root, 'mock-gateway', 'package.json'), join(folder, 'package.json'))
    await writeFile(
      join(folder, 'dist', 'cli.js'),
      "export const main = () => console.log('started')",
    )
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** Runs the launcher on a Node that reports this version. */
  async function launchedOn(version: string) {
    const other = join(folder, `${version}.cjs`)
    await writeFile(
      other,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
    )
    return new Promise<{ exitCode: number | null; output: string; error: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        ['--require', other, join(folder, 'launcher.cjs')],
        (_, output, error) => resolve({ exitCode: child.exitCode, output, error }),
      )
    })
  }

  test.each(['0.10.48', '8.17.0', '20.20.2', '24.1.0'])(
    'Node %s gets a message with the required version',
    async (version) => {
      const { exitCode, output, error } = await launchedOn(version)
      expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' })
      expect(error).toMatch(
        new RegExp(
          `^mondido-gateway needs Node 24\\.2 or newer; this is Node ${version} \\(.+\\)\\. Get one from .+ npm install node@24\\.\\n$`,
        ),
      )
    },
  )

  test.each(['24.2.0', '24.10.0', '25.0.0', '100.1.0'])('Node %s starts', async (version) =>
    expect(await launchedOn(version)).toEqual({ exitCode: 0, output: 'started\n', error: '' }),
  )
})

describe('the built command', () => {
  const BUILT = 'mock-gateway/dist/cli.js'

  let program: Program
  let origin: string
  beforeAll(async () => {
    if (!existsSync(BUILT)) throw new Error(`There is no ${BUILT}: run npm run build`)
    program = startProgram(BUILT, ['--port', '0', '--memory'])
    const line = await program.printed(/REST API/)
    origin = new URL(/REST API +(\S+)/.exec(line)?.[1] ?? '').origin
  })
  afterAll(() => program.stop())

  test('the built command decrypts', async () => {
    const library = await (await fetch(`${origin}/v2/mondido.js?merchant_id=1`)).text()
    const { publicKey } = JSON.parse(/__mondido_config=(.+);/.exec(library)?.[1] ?? '{}')
    const key = { key: publicKey, padding: constants.RSA_PKCS1_PADDING }
    const card_holder = publicEncrypt(key, Buffer.from(btoa('Kim Berg'))).toString('base64')
    const form = {
      card_holder,
      encrypted: 'card_holder',
      card_number: '4111111111111111',
      card_expiry: '1235',
    }
    const answer = await fetch(`${origin}/v1/stored_cards`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('1:custom00')}` },
      body: new URLSearchParams({
        ...form,
        card_type: 'VISA',
        card_cvv: '200',
        currency: 'sek',
        test: 'true',
      }),
    })
    expect(await answer.json()).toMatchObject({ card_holder: 'Kim Berg' })
  })
})

describe('mondido-gateway snapshot', () => {
  let folder: string
  let gateway: Program
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'snapshot-'))
    const flags = ['--port', '0', '--data', folder]
    gateway = startProgram(inRepository(GATEWAY_PROGRAM), flags)
    await gateway.printed(/http:\/\/localhost:\d+/)
  })
  afterAll(async () => {
    await gateway.stop()
    await rm(folder, { recursive: true })
  })

  const run = async (line: string) =>
    (await runGatewayIn(folder, [...line.split(' '), '--data', folder])).trim()

  test('saves, lists, restores and deletes the data of the running gateway', async () => {
    expect(await run('snapshot list')).toBe('No snapshot is saved.')
    const paid = await run('pay 10 --ref first')
    expect(await run('snapshot save before')).toBe('Saved before: 1 payment.')
    const later = await run('pay 10 --ref second')
    expect(await run('snapshot list')).toMatch(/before, 1 payment$/)
    expect(await run('snapshot restore before')).toBe('Restored before: 1 payment.')
    // The restore deleted the second payment, so its reference and id are free again.
    expect(await run('pay 10 --ref second')).toBe(later)
    expect(paid).toContain('payment_ref first')
    expect(await run('snapshot delete before')).toBe('Deleted before.')
    expect(await run('snapshot')).not.toContain('before')
  })
})

describe('control', () => {
  let folder: string
  const programs: Program[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'control-'))
  })
  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => program.stop()))
    await rm(folder, { recursive: true })
  })

  async function start(flags: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const program = startProgram(GATEWAY_PROGRAM, ['--port', '0', ...flags], env)
    programs.push(program)
    await program.printed(/^ {2}Merchant/)
    const [, address = '', key = ''] =
      /Control +(\S+\/_control)(?: {2}X-Control-Key: (\S+))?/.exec(program.output()) ?? []
    const clock = (given: string, base = address) =>
      fetch(`${base}/clock`, { headers: { 'x-control-key': given } })
    return { program, key, clock, output: program.output() }
  }

  test('the banner shows the control API and its key, which gives access and is stored with the data', async () => {
    const first = await start(['--data', folder])
    // Commands take the key as the value of a flag, so it must not start with a hyphen.
    expect(first.key).toMatch(/^[0-9a-f]{32}$/)
    expect((await first.clock(first.key)).status).toBe(200)
    expect((await first.clock('another key')).status).toBe(401)
    expect(await readFile(join(folder, 'control-key'), 'utf8')).toBe(`${first.key}\n`)
    expect((await stat(join(folder, 'control-key'))).mode & 0o777).toBe(0o600)
    await first.program.stop()
    expect((await start(['--data', folder])).key).toBe(first.key)
  })

  test('a moved clock keeps its time after a restart', async () => {
    const first = await start(['--data', folder])
    const init = {
      method: 'POST',
      headers: { 'x-control-key': first.key },
      body: new URLSearchParams({ at: '2031-05-01' }),
    }
    const [, api = ''] = /Control +(\S+)/.exec(first.output) ?? []
    expect((await fetch(`${api}/clock/freeze`, init)).status).toBe(200)
    await first.program.stop('SIGKILL')
    const second = await start(['--data', folder])
    expect(await (await second.clock(first.key)).json()).toMatchObject({
      mode: 'frozen',
      now: '2031-05-01T00:00:00.000Z',
    })
  })

  test('new data start with the file of --fixtures or MONDIDO_FIXTURES', async () => {
    const file = join(folder, 'fixtures.json')
    await writeFile(file, '{"customers":[{"id":9,"ref":"c9"}]}')
    for (const [flags, env] of [
      [['--fixtures', file], {}],
      [[], { MONDIDO_FIXTURES: file }],
    ] as const) {
      const printed: string[] = []
      const given = { ...env, MONDIDO_CONTROL_KEY: 'chosen-by-us-all' }
      const gateway = await runGateway(['--memory', '--port', '0', ...flags], given, (text) =>
        printed.push(text),
      )
      const [, api = ''] = /Control +(\S+)/.exec(printed.join('')) ?? []
      const exported = await fetch(`${api}/fixtures`, {
        headers: { 'x-control-key': 'chosen-by-us-all' },
      })
      expect(await exported.json()).toMatchObject({ customers: [{ id: 9, ref: 'c9' }] })
      await gateway.close()
    }
  })

  test('a configured control key gives access and is not printed', async () => {
    const { clock, output } = await start(['--memory'], { MONDIDO_CONTROL_KEY: 'chosen-by-us-all' })
    expect(output).not.toContain('chosen-by-us-all')
    expect((await clock('chosen-by-us-all')).status).toBe(200)
  })
})
