import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { createConfigSchema } from '../../../mock-gateway/cli/config-schema.ts'
import { readSettings, type Settings } from '../../../mock-gateway/cli/settings.ts'
import { getKeyInFile, settingsList } from '../../../mock-gateway/cli/settings-table.ts'
import { sharedFolder } from '../../helpers/shared.ts'

const folder = await sharedFolder()
await writeFile(
  join(folder, 'merchants.json'),
  '[{"id":7,"password":"hush-hush","secret":"topsecret"}]',
)

/** Writes a configuration file, and returns its path. */
async function written(config: unknown, name = 'mondido.config.json'): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, typeof config === 'string' ? config : JSON.stringify(config))
  return file
}

async function settings(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Settings> {
  const request = await readSettings(argv, env)
  if (request.kind !== 'run') throw new Error(`That asks for ${request.kind}.`)
  return request.settings
}

const MERCHANTS = [{ id: 7, password: 'hush-hush', secret: 'topsecret' }]

test('a variable wins over the configuration file, and a flag over both', async () => {
  const file = await written({ port: 4411 })
  expect((await settings(['--config', file])).port).toBe(4411)
  expect((await settings([], { MONDIDO_CONFIG: file })).port).toBe(4411)
  expect((await settings(['--config', file], { PORT: '4422' })).port).toBe(4422)
  expect((await settings(['--config', file, '--port', '4433'], { PORT: '4422' })).port).toBe(4433)
})

test('paths in a configuration file are relative to the file, and it can contain the content of a file', async () => {
  const file = await written({ data: 'here', merchants: 'merchants.json' })
  expect(await settings(['--config', file])).toMatchObject({
    database: join(folder, 'here/gateway.db'),
    merchants: MERCHANTS,
  })
  const inline = await written({ memory: true, merchants: MERCHANTS, fixtures: { plans: [] } })
  expect(await settings(['--config', inline])).toMatchObject({
    merchants: MERCHANTS,
    fixtures: { plans: [] },
  })
})

test('every setting is a flag, a variable and a key with the same effect', async () => {
  const values: Readonly<Record<string, string>> = {
    data: '/tmp/x',
    port: '4411',
    host: 'localhost',
  }
  for (const { name, env } of settingsList.filter((setting) => setting.name in values)) {
    const value = values[name] ?? ''
    const file = await written({ [getKeyInFile(name)]: value })
    const said = [
      await settings([`--${name}`, value]),
      await settings([], { [env]: value }),
      await settings(['--config', file]),
    ]
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1)
  }
})

test('a variable can turn off a setting of the configuration file', async () => {
  const file = await written({ memory: true })
  expect((await settings(['--config', file])).database).toBe('memory')
  expect((await settings([], { MONDIDO_MEMORY: '1' })).database).toBe('memory')
  expect((await settings([], { MONDIDO_MEMORY: '0' })).database).toMatch(/gateway\.db$/)
})

test('--print-config lists each setting with its source, and no secret', async () => {
  const file = await written({
    memory: true,
    merchants: MERCHANTS,
    controlKey: 'a key that is long'.replaceAll(' ', '-'),
  })
  const request = await readSettings(['--config', file, '--print-config', '--port', '0'], {
    LOG_LEVEL: 'warn',
  })
  if (request.kind !== 'print-config') throw new Error(request.kind)
  expect(JSON.parse(request.config)).toEqual({
    port: { value: '0', from: '--port' },
    memory: { value: true, from: `${file}: memory` },
    merchants: { value: '***', from: `${file}: merchants` },
    controlKey: { value: '***', from: `${file}: controlKey` },
    logLevel: { value: 'warn', from: 'LOG_LEVEL' },
  })
})

describe('a configuration file is rejected in one sentence', () => {
  test.each([
    [
      'that has an unknown key',
      { prot: 1 },
      /has "prot", which is not a setting; did you mean "port"\?$/,
    ],
    ['that writes a key as the flag', { 'webhook-ca': 'x' }, /did you mean "webhookCa"\?$/],
    ['that writes a key as the variable', { BASE_URL: 'x' }, /did you mean "baseUrl"\?$/],
    [
      'with a key unlike any',
      { colour: 'red' },
      /"colour", which is not a setting; --help lists them all\.$/,
    ],
    ['whose value is of another kind', { memory: 'yes' }, /: memory must be true or false\.$/],
    ['whose port is a list', { port: [1] }, /: port must be a number\.$/],
    ['whose path is empty', { data: '' }, /: data must be the path of a folder\.$/],
    ['that is not JSON', '{', /cannot be used: .*JSON/],
    ['that is a list', [], /must be an object/],
    [
      'that names two places of the data',
      { memory: true, data: 'x' },
      /: memory and .*: data exclude each other\.$/,
    ],
    [
      'whose merchant is incomplete',
      { merchants: [{ id: 7 }] },
      /: merchants cannot be used: .*password/,
    ],
    [
      'whose merchant has a webhook to an address that is never called',
      {
        merchants: [
          {
            ...MERCHANTS[0],
            settings: {
              webhooks: [{ name: 'x', trigger: 'payment', url: 'http://169.254.169.254/' }],
            },
          },
        ],
      },
      /: merchants cannot be used: .*The gateway never calls this url of a webhook/,
    ],
    ['with an unknown level', { logLevel: 'loud' }, /: logLevel must be one of silent, /],
  ])('%s', async (_what, config, sentence) => {
    const file = await written(config)
    await expect(settings(['--config', file])).rejects.toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringMatching(sentence) }),
    )
  })

  test('if it does not exist', async () => {
    await expect(settings(['--config', join(folder, 'none.json')])).rejects.toThrow(
      /none\.json cannot be used: the file or folder does not exist/,
    )
  })
})

describe('the JSON schema', () => {
  const validate = addFormats.default(new Ajv2020({ strict: false })).compile(createConfigSchema())

  test.each([
    [{}, true],
    [{ $schema: './schema.json', port: 4411, memory: true, webhookRetryOn: '5xx' }, true],
    [
      {
        merchants: MERCHANTS,
        fixtures: {
          plans: [{ name: 'Box', interval: 1, interval_unit: 'months', prices: { sek: '9.00' } }],
        },
      },
      true,
    ],
    [{ merchants: 'merchants.json' }, true],
    [{ prot: 1 }, false],
    [{ memory: 'yes' }, false],
    [{ webhookRetryOn: 'never' }, false],
    [{ merchants: [{ id: 7 }] }, false],
    [{ merchants: [{ ...MERCHANTS[0], settings: { strict_hash: 'maybe' } }] }, false],
    [{ fixtures: { plan: [] } }, false],
  ])('reports for %j: %s', (config, fits) => expect(validate(config)).toBe(fits))
})
