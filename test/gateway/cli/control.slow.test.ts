import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runGateway } from '../../../mock-gateway/cli.ts'
import { GATEWAY_PROGRAM, type Program, startProgram } from '../../helpers/program.ts'

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
