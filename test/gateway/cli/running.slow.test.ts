import { exec } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../mock-gateway/cli/certificate.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import { readCurl, runCurl } from '../../helpers/banner.ts'
import { GATEWAY_PROGRAM, type Program, startProgram } from '../../helpers/program.ts'
import { sharedFolder } from '../../helpers/shared.ts'
import { until } from '../../helpers/sink.ts'

const programs: Program[] = []
const gateways: RunningGateway[] = []

const folder = await sharedFolder()

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()))
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()))
})

/** Starts a gateway on a free port; resolves once it has printed its addresses. */
async function start(flags: readonly string[] = ['--memory'], env: NodeJS.ProcessEnv = {}) {
  const program = startProgram(GATEWAY_PROGRAM, ['--port', '0', ...flags], env)
  programs.push(program)
  await program.printed(/^ {2}Data/)
  await program.printed(/^ {2}Merchant/)
  const [, api = ''] = /REST API +(\S+)/.exec(program.output()) ?? []
  return { program, api }
}

/** Starts a gateway like `start`, but in this process, which takes a twentieth of the time. */
async function startHere(flags: readonly string[] = ['--memory'], env: NodeJS.ProcessEnv = {}) {
  let output = ''
  const silent = { LOG_LEVEL: 'silent', ...env }
  const gateway = await runGateway(['--port', '0', ...flags], silent, (text) => {
    output += text
  })
  gateways.push(gateway)
  return { gateway, output, api: `${gateway.addresses.base}/v1` }
}

describe('the banner', () => {
  test('lists the addresses and the logins, and its curl command pays', async () => {
    const { program, api } = await start()
    expect(api).toMatch(/^http:\/\/localhost:\d+\/v1$/)
    const origin = new URL(api).origin
    const output = program.output()
    for (const text of [
      `Payment page     ${origin}/v1/form`,
      `Browser library  ${origin}/v2/mondido.js?merchant_id=1`,
      `Console          ${origin}/console`,
      `Documentation    ${origin}/docs`,
      'Data             memory',
      'Merchant         1  password custom00  secret sandbox-secret',
    ])
      expect(output).toContain(text)
    const { status, body } = await runCurl(readCurl(output))
    expect({ status, paid: body.status }).toEqual({ status: 200, paid: 'approved' })
    expect(body.href).toMatch(new RegExp(`^${origin}/v1/form/`))
  })
})

test('prints an IPv6 host in brackets, and the gateway answers there', async () => {
  const { output, api } = await startHere(['--memory', '--host', '::ffff:127.0.0.1'])
  expect(api).toMatch(/^http:\/\/\[::ffff:127\.0\.0\.1\]:\d+\/v1$/)
  expect((await runCurl(readCurl(output))).status).toBe(200)
})

test('Git ignores a new data folder, and an existing folder is not changed', async () => {
  const [made, given] = [join(folder, 'made'), join(folder, 'given')]
  await mkdir(given)
  for (const data of [made, given]) await (await startHere(['--data', data])).gateway.close()
  expect(await readFile(join(made, '.gitignore'), 'utf8')).toBe('*\n')
  expect(await readdir(given)).not.toContain('.gitignore')
})

/** Returns true if no program listens at a port. */
const isRefused = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, 'localhost')
    socket.once('error', () => resolve(true)).once('connect', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

describe('a stopped gateway', () => {
  test('exits on a signal, whatever its clients do, and however many signals arrive', async () => {
    const { program, api } = await start()
    const { port } = new URL(api)
    const idle = connect(Number(port), 'localhost')
    const halfway = connect(Number(port), 'localhost')
    for (const socket of [idle, halfway]) socket.on('error', () => {})
    await new Promise((resolve) => halfway.once('connect', resolve))
    halfway.write(
      'POST /v1/transactions HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf of ',
    )
    await fetch(api, { headers: { connection: 'keep-alive' } })
    const ended = program.stop('SIGINT')
    await until(() => isRefused(Number(port)))
    // Ctrl-C sends the signal to npx and the gateway, and npx passes it on to the gateway again.
    expect([await program.stop('SIGINT'), await ended]).toEqual([0, 0])
    expect(program.output()).not.toMatch(/^\s+at /m)
  })
})

describe('the flag --tls', () => {
  /** Returns the names in a server's certificate, for a client that trusts only `ca`. */
  const namesAt = (url: string, ca: string, servername = 'localhost') =>
    new Promise<string>((resolve, reject) => {
      const socket = connectTls({
        host: 'localhost',
        port: Number(new URL(url).port),
        ca,
        servername,
      })
      socket.once('error', reject).once('secureConnect', () => {
        resolve(socket.getPeerCertificate().subjectaltname ?? '')
        socket.destroy()
      })
    })

  test('uses a certificate that is stored with the data and valid for every name of the gateway', async () => {
    const data = join(folder, 'tls-data')
    const env = { PAY_URL: 'https://pay.shop.test', CDN_URL: 'https://[2001:db8::1]:4400' }
    const first = await startHere(['--data', data, '--tls'], env)
    const file = join(data, 'tls', 'certificate.pem')
    expect(first.output).toContain(`Certificate      ${file}\n`)
    expect(first.output).toContain(`curl --cacert '${file}' -u 1:`)
    const ca = await readFile(file, 'utf8')
    const names = await namesAt(first.api, ca)
    for (const name of [
      'DNS:localhost',
      'IP Address:127.0.0.1',
      'IP Address:0:0:0:0:0:0:0:1',
      'DNS:pay.shop.test',
    ])
      expect(names).toContain(name)
    expect(await namesAt(first.api, ca, 'pay.shop.test')).toContain(
      'IP Address:2001:DB8:0:0:0:0:0:1',
    )
    expect((await stat(join(data, 'tls', 'key.pem'))).mode & 0o077).toBe(0)
    await first.gateway.close()

    const second = await startHere(['--data', data, '--tls'], env)
    expect(await namesAt(second.api, ca)).toBe(names)
  })

  test('makes a certificate that curl trusts', async () => {
    const { program } = await start(['--data', join(folder, 'curled'), '--tls'])
    const command = program.output().match(/^curl .*$/m)?.[0] ?? ''
    const { stdout } = await promisify(exec)(`${command} --silent --show-error`)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'approved' })
  })

  test("uses the operator's certificate", async () => {
    const { cert, key } = await makeCertificate(['shop.test'], Date.now())
    const files = { cert: join(folder, 'own.pem'), key: join(folder, 'own-key.pem') }
    await writeFile(files.cert, cert)
    await writeFile(files.key, key)
    const { output, api } = await startHere([
      '--memory',
      '--tls-cert',
      files.cert,
      '--tls-key',
      files.key,
    ])
    expect(api).toMatch(/^https:/)
    expect(await namesAt(`https://localhost:${new URL(api).port}`, cert, 'shop.test')).toBe(
      'DNS:shop.test',
    )
    expect(output).toMatch(/^curl -u/m)
  })
})
