import { exec } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from '../../../mock-gateway/cli/certificate.ts'
import { type RunningGateway, runGateway } from '../../../mock-gateway/cli.ts'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { readCurl, runCurl } from '../../helpers/banner.ts'
import { checkAnswer } from '../../helpers/contract.ts'
import { GATEWAY_PROGRAM, type Program, startProgram } from '../../helpers/program.ts'
import { until } from '../../helpers/sink.ts'

let folder: string
const programs: Program[] = []
const gateways: RunningGateway[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'running-'))
})
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()))
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()))
})
afterAll(() => rm(folder, { recursive: true }))

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

  test('prints no secret from the configuration', async () => {
    const file = join(folder, 'merchants.json')
    const own = {
      id: 7,
      password: 'pa:ss:word',
      secret: 'topsecret',
      settings: { live_cards: 'refuse' },
    }
    await writeFile(file, JSON.stringify([own, { id: 8, password: 'another', secret: 'another' }]))
    const { output, api } = await startHere(['--memory', '--merchants', file])
    expect(output).toMatch(/Merchant {9}7\n {2}Merchant {9}8\n/)
    expect(output).not.toMatch(/pa:ss:word|topsecret|curl/)
    const login = { authorization: `Basic ${btoa('7:pa:ss:word')}` }
    expect((await fetch(`${api}/transactions`, { headers: login })).status).toBe(200)
  })

  test('shows the addresses of the environment, which links use', async () => {
    const { output, api } = await startHere(['--memory'], {
      BASE_URL: 'https://api.example/gateway/',
      PAY_URL: 'https://pay.example',
      CDN_URL: 'https://cdn.example',
      HOST: '',
      DATA_DIR: '',
    })
    expect(api).toBe('https://api.example/gateway/v1')
    expect(output).toContain('https://pay.example/v1/form')
    expect(output).toContain('https://cdn.example/v2/mondido.js?merchant_id=1')
  })
})

test('uses BASE_URL alone for all three addresses', async () => {
  const { output } = await startHere(['--memory'], { BASE_URL: 'http://shop.test:4400/pay' })
  for (const path of ['/v1', '/v1/form', '/v2/mondido.js?merchant_id=1'])
    expect(output).toContain(`http://shop.test:4400/pay${path}\n`)
})

test('prints an IPv6 host in brackets, and the gateway answers there', async () => {
  const { output, api } = await startHere(['--memory', '--host', '::ffff:127.0.0.1'])
  expect(api).toMatch(/^http:\/\/\[::ffff:127\.0\.0\.1\]:\d+\/v1$/)
  expect((await runCurl(readCurl(output))).status).toBe(200)
})

test('href is built from PAY_URL, whatever address the request used', async () => {
  const { output } = await startHere(['--memory', '--port', '0'], {
    PAY_URL: 'https://pay.example',
  })
  expect((await runCurl(readCurl(output))).body.href).toMatch(/^https:\/\/pay\.example\/v1\/form\//)
})

test('the log has one line of JSON for each request', async () => {
  const { program } = await start()
  await runCurl(readCurl(program.output()))
  const line = JSON.parse(await program.printed(/^\{/))
  expect(line).toMatchObject({
    method: 'POST',
    route: '/v1/transactions',
    status: 200,
    merchant_id: 1,
    error: null,
  })
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
  test('has its data again after the next start in the same folder', async () => {
    const data = join(folder, 'kept', 'deeper')
    const first = await start(['--data', data])
    const { body } = await runCurl(readCurl(first.program.output()))
    expect(await first.program.stop()).toBe(0)
    const second = await start(['--data', data])
    const login = { authorization: `Basic ${btoa('1:custom00')}` }
    const again = await fetch(`${second.api}/transactions/${body.id}`, { headers: login })
    expect((await again.json()) as Transaction).toMatchObject({
      id: body.id,
      payment_ref: body.payment_ref,
    })
  })

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

  test('exits immediately on Ctrl-C if no request runs', async () => {
    const { program } = await start()
    expect(await program.stop('SIGINT')).toBe(0)
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
    await second.gateway.close()
    const renamed = await startHere(['--data', data, '--tls'], {
      BASE_URL: 'https://api.shop.test',
    })
    expect(renamed.output).toContain('https://api.shop.test/v1')
    expect(await readFile(file, 'utf8')).not.toBe(ca)
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

  test('allows only TLS 1.2 and newer', async () => {
    const { output, api } = await startHere(['--memory', '--tls'])
    expect(api).toMatch(/^https:/)
    const { port } = new URL(api)
    const speak = (version: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      new Promise<string>((resolve) => {
        const versions = { minVersion: version, maxVersion: version } as const
        // Old TLS versions need weak signatures, which OpenSSL allows only at security level 0.
        const options = {
          ...versions,
          host: 'localhost',
          port: Number(port),
          rejectUnauthorized: false,
        }
        const socket = connectTls({ ...options, ciphers: 'DEFAULT@SECLEVEL=0' })
        socket.once('secureConnect', () => {
          resolve(socket.getProtocol() ?? '')
          socket.destroy()
        })
        socket.once('error', () => resolve('refused'))
      })
    expect(await Promise.all([speak('TLSv1'), speak('TLSv1.1')])).toEqual(['refused', 'refused'])
    expect(await Promise.all([speak('TLSv1.2'), speak('TLSv1.3')])).toEqual(['TLSv1.2', 'TLSv1.3'])

    const { url, headers, body } = readCurl(output)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { method: 'POST', headers, rejectUnauthorized: false }, resolve)
        .once('error', reject)
        .end(body)
    })
    expect(answer.statusCode).toBe(200)
    const received = new Headers(answer.headers as Record<string, string>)
    checkAnswer('POST', url, 200, received, await json(answer))
  })
})
