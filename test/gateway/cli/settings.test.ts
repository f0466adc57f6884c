import { X509Certificate } from 'node:crypto'
import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { maskPassword } from '../../../mock-gateway/cli/banner.ts'
import { loadCertificateFile } from '../../../mock-gateway/cli/certificate.ts'
import { loadControlKey, makeDataFolder } from '../../../mock-gateway/cli/data-folder.ts'
import { readSettings, type Settings } from '../../../mock-gateway/cli/settings.ts'
import {
  createGateway,
  DEFAULT_MERCHANT,
  type GatewayOptions,
} from '../../../mock-gateway/gateway.ts'

async function settings(
  flags: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Settings> {
  const request = await readSettings(flags === '' ? [] : flags.split(' '), env)
  if (request.kind !== 'run') throw new Error(`That asks for ${request.kind}.`)
  return request.settings
}

test.each([
  ['::1', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['127.8.9.10', true],
  ['localhost', true],
  ['::', false],
  ['0.0.0.0', false],
  ['fe80::1', false],
  ['::ffff:10.0.0.1', false],
  ['127.0.0.1.example', false],
])('the default secrets are accepted on %s: %s', async (host, alone) => {
  const start = settings(`--host ${host}`)
  if (alone) expect((await start).host).toBe(host.replace(/[[\]]/g, ''))
  else await expect(start).rejects.toThrow('default password or secret')
})

describe('the data are stored', () => {
  const ours = { MONDIDO_DATABASE_URL: 'postgres://ours' }
  test.each([
    ['in a folder', '', {}, resolve('.mondido/gateway.db')],
    [
      'not in the shop’s database',
      '',
      { DATABASE_URL: 'postgres://shop' },
      resolve('.mondido/gateway.db'),
    ],
    ['in the database of the environment', '', ours, 'postgres://ours'],
    [
      'in the database of the flag before that',
      '--database postgresql://flag',
      ours,
      'postgresql://flag',
    ],
    ['in the folder of the flag before that', '--data here', ours, resolve('here/gateway.db')],
    ['in memory before that', '--memory', ours, 'memory'],
    [
      'in a database before a folder of the environment',
      '',
      { ...ours, DATA_DIR: 'x' },
      'postgres://ours',
    ],
  ])('%s', async (_where, flags, env, database) =>
    expect((await settings(flags, env)).database).toBe(database),
  )
})

test.each([
  ['postgres://localhost/shop', 'postgres://localhost/shop'],
  ['postgres://kim:p%40ss@localhost/shop', 'postgres://***@localhost/shop'],
  ['postgres://kim:p@ss/word@localhost/shop', 'postgres://***@localhost/shop'],
  [
    'postgres://localhost/shop?user=kim&password=Marker',
    'postgres://localhost/shop?user=kim&password=***',
  ],
  [
    'postgres://kim:Marker@localhost/shop?sslmode=require',
    'postgres://***@localhost/shop?sslmode=require',
  ],
  [
    'postgres://localhost/shop?p%61ssword=Marker&sslpassword=Marker',
    'postgres://localhost/shop?password=***&sslpassword=***',
  ],
  ['/data/a?password=b@c/gateway.db', '/data/a?password=b@c/gateway.db'],
])('of the database %s the banner shows %s', (database, shown) =>
  expect(maskPassword(database)).toBe(shown),
)

describe('a preset of an old client applies to', () => {
  test('the default merchant', async () =>
    expect((await settings('--preset ios', {})).merchants).toMatchObject([
      { id: 1, preset: 'ios' },
    ]))

  test('no merchant if the name is unknown', () =>
    expect(settings('', { MONDIDO_PRESET: 'shopify' })).rejects.toThrow(
      /^There is no preset "shopify"\. The presets are /,
    ))
})

describe('options', () => {
  const LOCAL = 'http://localhost:4400'

  /** Invalid options of createGateway and of the command line, with their errors. */
  test.each<[string, unknown, readonly string[], Readonly<Record<string, string>>]>([
    [
      'must be an address such as http://localhost:4400, without user name or query.',
      { addresses: { base: 'localhost:4400', pay: LOCAL, cdn: LOCAL } },
      [],
      { BASE_URL: 'localhost:4400' },
    ],
    [
      'must begin with postgres://.',
      { database: 'mysql://shop' },
      ['--database', 'mysql://shop'],
      {},
    ],
  ])('%s', async (message, options, argv, env) => {
    await expect(createGateway(options as GatewayOptions)).rejects.toThrow(message)
    await expect(readSettings(argv, env)).rejects.toThrow(message)
  })

  test.each<[string, unknown, string]>([
    [
      'an invalid name',
      { databse: 'memory' },
      'There is no option "databse". The options of createGateway are database, addresses,',
    ],
    ['no merchant', { merchants: [] }, 'The option merchants cannot be used: '],
    [
      'a short password',
      { merchants: [{ ...DEFAULT_MERCHANT, password: 'short' }] },
      'cannot be used: [0].password: Too small',
    ],
  ])('createGateway refuses %s', async (_what, options, message) => {
    await expect(createGateway(options as GatewayOptions)).rejects.toThrow(message)
  })
})

describe('a certificate', () => {
  const NOW = Date.UTC(2026, 0, 1)
  const DAY = 24 * 60 * 60 * 1000
  const HOSTS = ['localhost', '::1', 'pay.shop.test']

  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'certificate-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const kept = (hosts = HOSTS, now = NOW) => loadCertificateFile(folder, hosts, now)

  test('a certificate is valid from yesterday for less than the 825 days that Apple allows', async () => {
    const { validFrom, validTo } = new X509Certificate((await kept()).cert)
    expect(Date.parse(validFrom)).toBe(NOW - DAY)
    expect(Date.parse(validTo)).toBe(NOW + 800 * DAY)
  })

  test('a stored certificate is used again, also for fewer hosts', async () => {
    const first = await kept()
    expect(await kept()).toEqual(first)
    expect(await kept(['localhost'])).toEqual(first)
  })

  test.each([
    ['there is another name', () => kept([...HOSTS, 'api.shop.test'])],
    ['there is another address', () => kept([...HOSTS, '192.0.2.1'])],
    ['it ends within a month', () => kept(HOSTS, NOW + 771 * DAY)],
    [
      'it was spoiled',
      async () => {
        await writeFile(join(folder, 'certificate.pem'), 'nothing')
        return kept()
      },
    ],
  ] as const)('it is created again when %s', async (_why, again) => {
    const first = await kept()
    expect((await again()).cert).not.toBe(first.cert)
  })
})

describe('the data folder', () => {
  /** Counts the flushes during some work. Only flushed names and bytes survive a power loss. */
  async function flushesOf(work: () => Promise<unknown>): Promise<number> {
    const handle = await open(tmpdir())
    const flushed = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'sync')
    await handle.close()
    try {
      await work()
      return flushed.mock.calls.length
    } finally {
      flushed.mockRestore()
    }
  }

  test('each name in a new data folder is flushed once, and the control key before it gets its name', async () => {
    const above = await mkdtemp(join(tmpdir(), 'mondido-flushed-'))
    const folder = join(above, 'shop', 'data')
    expect(await flushesOf(() => makeDataFolder(folder))).toBe(2)
    expect(await flushesOf(() => makeDataFolder(folder))).toBe(0)
    expect(await flushesOf(() => loadControlKey(folder, () => 'a-key-of-this-test-alone'))).toBe(1)
    expect(await readdir(folder)).toEqual(['.gitignore', 'control-key'])
    await rm(above, { recursive: true })
  })
})
