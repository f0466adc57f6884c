import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { runGateway, StartError } from '../../../mock-gateway/cli.ts'
import { createGateway } from '../../../mock-gateway/gateway.ts'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { listen } from '../../helpers/listening.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { sharedFolder } from '../../helpers/shared.ts'

const folder = await sharedFolder()
const files = {
  'broken.json': '[{',
  'list.json': '{"id":7}',
  'short.json': JSON.stringify([{ id: 7, password: 'short', secret: 'topsecret' }]),
  'misspelt.json': JSON.stringify([{ id: 7, passwort: 'hush-hush', secret: 'topsecret' }]),
  'good.json': JSON.stringify([{ id: 7, password: 'hush-hush', secret: 'topsecret' }]),
  'half.json': JSON.stringify([{ id: 7, password: 'hush-hush', secret: 'sandbox-secret' }]),
  'mistyped.json': '{"prot":4400}',
  'a-file': '',
}
for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
await mkdir(join(folder, 'corrupt'))
await writeFile(join(folder, 'corrupt', 'gateway.db'), 'this file is not a database'.repeat(99))
for (const name of ['used', 'half-used']) await mkdir(join(folder, name))
await (await createGateway({ database: join(folder, 'used', 'gateway.db') })).close()
const half = [{ id: 9, password: 'custom00', secret: 'topsecret' }]
await (
  await createGateway({ database: join(folder, 'half-used', 'gateway.db'), merchants: half })
).close()
await mkdir(join(folder, 'newer'))
await (await openDatabase(join(folder, 'newer', 'gateway.db'))).close()
const newer = new DatabaseSync(join(folder, 'newer', 'gateway.db'))
newer.exec("INSERT INTO migrations VALUES ('9999-from-the-future')")
newer.close()

/** Returns the error with which the gateway does not start. */
async function refusal(flags: string, env: Readonly<Record<string, string>>): Promise<StartError> {
  const args = flags.split(' ').filter((flag) => flag !== '')
  try {
    const gateway = await runGateway(args.map(inFolder), env, () => {})
    await gateway.close()
  } catch (error) {
    return error as StartError
  }
  throw new Error('It started.')
}
const inFolder = (text: string) => text.replaceAll('<folder>', folder)

/** Ways to start the gateway that it refuses: flags, the printed sentence, and variables. */
type Refusal = readonly [
  what: string,
  flags: string,
  sentence: RegExp,
  env?: Readonly<Record<string, string>>,
]

/** Wrong settings, which end the gateway with status 2. */
const WRONG_SETTINGS: readonly Refusal[] = [
  [
    'a report in no folder',
    '--memory --port 0 --report <folder>/none/run.html',
    /^The report cannot .*the file or folder does not exist\.$/,
  ],
  ['an unknown flag', '--prot 1', /--prot.* See --help\.$/],
  ['a word too many', 'start', /start.* See --help\.$/],
  ['a flag without its value', '--port', /--port.* See --help\.$/],
  ['a port that is not a number', '--port http', /port .* not "http"\.$/],
  ['a port that is too large', '--port 65536', /not "65536"\.$/],
  ['a port of the environment', '', /not "-1"\.$/, { PORT: '-1' }],
  ['memory together with a folder', '--memory --data x', /--memory and --data/],
  ['memory together with a database', '--memory --database x', /--memory and --database/],
  ['a folder together with a database', '--data x --database x', /--data and --database/],
  [
    'another in the environment',
    '',
    /^MONDIDO_DATABASE_URL must begin/,
    { MONDIDO_DATABASE_URL: 'mysql://a:hush@b/c' },
  ],
  [
    'a certificate without its key',
    '--memory --tls-cert x',
    /--tls-cert and --tls-key must be given together/,
  ],
  [
    'a key without its certificate',
    '--memory --tls-key x',
    /--tls-cert and --tls-key must be given together/,
  ],
  [
    'a certificate that is not there',
    '--memory --port 0 --tls-cert <folder>/none.pem --tls-key <folder>/none.pem',
    /certificate .* cannot be used: the file or folder does not exist/,
  ],
  [
    'an invalid certificate',
    '--memory --port 0 --tls-cert <folder>/good.json --tls-key <folder>/good.json',
    /certificate .* cannot be used: .*PEM/i,
  ],
  ['an unknown log level', '--memory', /^LOG_LEVEL must be one of/, { LOG_LEVEL: 'loud' }],
  [
    'an address with a query',
    '--memory',
    /^PAY_URL must be an address/,
    { PAY_URL: 'http://a.b/?c=d' },
  ],
  [
    'an address with a user',
    '--memory',
    /^CDN_URL must be an address/,
    { CDN_URL: 'http://a:hush@b.c' },
  ],
  [
    'merchants that are not there',
    '--memory --merchants <folder>/none.json',
    /the file or folder does not exist/,
  ],
  ['merchants that are not JSON', '--memory --merchants <folder>/broken.json', /JSON/],
  ['merchants that are not a list', '--memory --merchants <folder>/list.json', /array/],
  [
    'fixtures that are not there',
    '--memory --fixtures <folder>/none.json',
    /fixtures .* the file or folder does not exist/,
  ],
  ['fixtures that are not JSON', '--memory --fixtures <folder>/broken.json', /fixtures .*JSON/],
  [
    'fixtures with unknown fields',
    '--memory --port 0 --fixtures <folder>/list.json',
    /^The fixtures cannot be used: .*Unrecognized key.*id/,
  ],
  ['a merchant with a short password', '--memory --merchants <folder>/short.json', /password/],
  [
    'a merchant with a misspelt key',
    '--memory',
    /passwort/,
    { MERCHANTS_FILE: '<folder>/misspelt.json' },
  ],
  [
    'one default secret',
    '--memory --host 0.0.0.0 --merchants <folder>/half.json',
    /merchant 7 has the default/,
  ],
]

/** Right settings that the machine cannot satisfy, which end the gateway with status 1. */
const FAILED_STARTS: readonly Refusal[] = [
  [
    'default secrets in the data, where others can reach it',
    '--data <folder>/used --host 0.0.0.0 --port 0 --merchants <folder>/good.json',
    /merchant 1 in the stored data has the default/,
  ],
  [
    'a default password in the data',
    '--data <folder>/half-used --host 0.0.0.0 --port 0 --merchants <folder>/good.json',
    /merchant 9 in the stored data has the default/,
  ],
  [
    'an address of another machine',
    '--memory --host 192.0.2.1 --merchants <folder>/good.json',
    /no such address/,
  ],
  [
    'a data folder that is a file',
    '--data <folder>/a-file --port 0',
    /data folder .* a file with this name exists\.$/,
  ],
  [
    'a data folder below a file',
    '--data <folder>/a-file/data --port 0',
    /data folder .* not a folder\.$/,
  ],
  [
    'data that are not a database',
    '--data <folder>/corrupt --port 0',
    /data folder .*not a database\.$/,
  ],
  [
    'data of a newer version',
    '--data <folder>/newer --port 0',
    /another version.*9999-from-the-future/,
  ],
  [
    'a database that does not answer',
    '--port 0',
    /no server answers/,
    { MONDIDO_DATABASE_URL: 'postgres://a:hush@127.0.0.1:1/c' },
  ],
]

describe.each([
  { exitCode: 2, refusals: WRONG_SETTINGS },
  { exitCode: 1, refusals: FAILED_STARTS },
])(
  'the gateway ends with status $exitCode, and prints one clear sentence, with',
  ({ exitCode, refusals }) => {
    test.for(refusals)('%s', async ([, flags, sentence, env = {}]) => {
      const given = Object.entries(env).map(([name, value]) => [name, inFolder(value)])
      const error = await refusal(flags, Object.fromEntries(given))
      expect(error).toBeInstanceOf(StartError)
      expect(error.exitCode).toBe(exitCode)
      expect(error.message).toMatch(sentence)
      expect(error.message).not.toMatch(/^\s+at |\.\.$|hush|topsecret/m)
    })
  },
)

describe('the command', () => {
  const run = async (...flags: string[]) => {
    const program = startProgram(GATEWAY_PROGRAM, flags)
    return { exitCode: await program.ended, output: program.output().trim() }
  }

  test('--help fits on a screen, and exits with status 0', async () => {
    const { exitCode, output } = await run('--help')
    expect(exitCode).toBe(0)
    const lines = output.split('\n')
    expect([lines.length <= 40, lines.filter((line) => line.length > 80)]).toEqual([true, []])
    for (const word of ['pay', 'tail', 'exec', '--port', 'help settings'])
      expect(output).toContain(word)
  })

  test('help settings lists every setting, and exits with status 0', async () => {
    const { exitCode, output } = await run('help', 'settings')
    expect(exitCode).toBe(0)
    const flags =
      '--port --host --memory --data --database --tls --tls-cert --tls-key --merchants --version'
    for (const word of `${flags} BASE_URL PAY_URL CDN_URL MONDIDO_DATABASE_URL`.split(' '))
      expect(output).toContain(word)
  })

  test('exits with status 1 if its port is in use', async () => {
    const { port, close } = await listen(createServer())
    expect(await run('--memory', '--port', String(port))).toEqual({
      exitCode: 1,
      output: `The gateway cannot listen on 127.0.0.1:${port}: it is already in use. Choose another with --port.`,
    })
    await close()
  })
})
