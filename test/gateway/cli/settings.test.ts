import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { maskPassword } from '../../../mock-gateway/cli/banner.ts'
import { readSettings, type Settings } from '../../../mock-gateway/cli/settings.ts'

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
