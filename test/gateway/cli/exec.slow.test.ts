import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exec } from '../../../mock-gateway/cli/exec.ts'
import { runGateway } from '../../../mock-gateway/cli.ts'
import { inRepository } from '../../helpers/documents.ts'
import { GATEWAY_PROGRAM, startProgram } from '../../helpers/program.ts'
import { sharedFolder } from '../../helpers/shared.ts'

const folder = await sharedFolder()

const run = (...argv: string[]) => exec(argv, { PATH: process.env.PATH }, runGateway)

/** Runs the command in its own folder. */
const command = (...argv: string[]) =>
  startProgram(inRepository(GATEWAY_PROGRAM), ['exec', ...argv], {}, process.execPath, folder)

/**
 * Program that acts like a test suite: it pays with the addresses in the environment, and stores
 * the answer.
 */
const SUITE = `
const { MONDIDO_BASE_URL: base, MONDIDO_MERCHANT_ID: id, MONDIDO_PASSWORD: password, MONDIDO_CONTROL_KEY: key } = process.env
const login = { authorization: 'Basic ' + btoa(id + ':' + password) }
const paid = await fetch(base + '/v1/transactions', { headers: login })
const body = new URLSearchParams({ amount: '10.00', currency: 'sek', payment_ref: 'A1', test: 'true', hash: 'wrong' })
await fetch(base + '/v1/transactions?locale=en', { method: 'POST', headers: login, body })
const clock = await fetch(base + '/_control/clock', { headers: { 'x-control-key': key } })
console.log('suite', paid.status, clock.status)
`

test('a command gets the address and keys of a gateway in its environment, and a report if it fails', async () => {
  const program = command(
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    `${SUITE}process.exit(3)`,
  )
  expect(await program.ended).toBe(3)
  expect(program.output()).toBe(
    'suite 200 200\nThe command ended with 3; the report of the gateway is in mondido-report.txt.\n',
  )
  const report = await readFile(join(folder, 'mondido-report.txt'), 'utf8')
  expect(report).toMatch(/merchant 1 POST \/v1\/transactions 400 errors\.hash\.invalid .*\*\*\*/)
  expect(report).not.toContain('_control')
})

test("Node and curl in a command with TLS also trust the gateway's certificate, and a report is written", async () => {
  const trusted = `${SUITE}
    const { execFileSync } = await import('node:child_process')
    const { getCACertificates } = await import('node:tls')
    const answer = execFileSync('curl', ['-s', '-o', '-', base + '/ready'], { encoding: 'utf8' }).trim()
    console.log(base.split(':')[0], answer, getCACertificates('bundled').length > 100, process.env.SSL_CERT_FILE)
    process.exit(3)`
  const program = command('--tls', '--', process.execPath, '--input-type=module', '-e', trusted)
  expect(await program.ended).toBe(3)
  const [, file = ''] =
    /^suite 200 200\nhttps ready true (\S+)\nThe command ended with 3; /.exec(program.output()) ??
    []
  expect(program.output()).toContain('the report of the gateway is in mondido-report.txt')
  expect(file).toMatch(/all\.pem$/)
  await expect(readFile(file)).rejects.toThrow('ENOENT')
})

test("a signal is passed on, the exit status is the command's, and the report is written", async () => {
  const program = command(
    '--report',
    'run.html',
    '--',
    process.execPath,
    '-e',
    `process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 999); console.log('up')`,
  )
  await program.printed(/^up$/)
  expect(await program.stop('SIGTERM')).toBe(7)
  expect(program.output()).toContain('The payments of this run are in run.html.')
  expect(await readFile(join(folder, 'run.html'), 'utf8')).toContain('No payment was made.')
})

describe('the exit status', () => {
  test.each([
    [0, ['--', 'true']],
    [127, ['--', 'there-is-no-such-command']],
  ])('is %i, as after the same command in a shell', async (status, argv) =>
    expect(await run(...argv)).toBe(status),
  )

  test('the exit status of a command that a signal ended is 128 plus the number of the signal', async () => {
    expect(await run('--no-control', '--', 'sh', '-c', 'kill -KILL $$')).toBe(137)
  })
})

test('--wait-for waits until an address answers', async () => {
  const shop = createServer((_request, response) => response.writeHead(500).end()).listen(
    0,
    '127.0.0.1',
  )
  await new Promise((resolve) => shop.once('listening', resolve))
  const { port } = shop.address() as AddressInfo
  shop.close()
  await new Promise((resolve) => shop.once('close', resolve))
  const running = run('--wait-for', `http://127.0.0.1:${port}/cart`, '--', 'true')
  setTimeout(() => shop.listen(port, '127.0.0.1'), 300)
  expect(await running).toBe(0)
  expect(shop.listening).toBe(true)
  shop.closeAllConnections()
  shop.close()
})

describe('a mistake is reported in one sentence', () => {
  test.each([
    ['without a command', ['--port', '0'], /^exec needs a command behind --/],
    ['with nothing behind --', ['--'], /^exec needs a command behind --/],
    ['with a flag it does not know', ['--prot', '1', '--', 'true'], /--prot.* See --help\.$/],
    [
      'with an invalid address',
      ['--wait-for', 'shop', '--', 'true'],
      /^--wait-for needs an http or https address .* not "shop"\.$/,
    ],
    [
      'with an address that no HTTP client can ask',
      ['--wait-for', 'file:///etc/hostname', '--', 'true'],
      /^--wait-for needs an http or https address .* not "file:\/\/\/etc\/hostname"\.$/,
    ],
  ])('%s', async (_what, argv, sentence) => {
    await expect(run(...argv)).rejects.toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringMatching(sentence) }),
    )
  })
})
