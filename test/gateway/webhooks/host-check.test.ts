import type { lookup as lookUp } from 'node:dns'
import { describe, expect, test } from 'vitest'
import { createHostCheck } from '../../../mock-gateway/webhooks/host-check.ts'
import type { CallOptions } from '../../../mock-gateway/webhooks/http-call.ts'
import { openSink } from '../../helpers/sink.ts'
import { freePort } from '../../setup/free-port.ts'

/** Creates a resolver that returns the same address for every name. */
const resolvesTo = (address: string) =>
  ((_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
    callback(null, [{ address, family: 4 }])) as unknown as typeof lookUp

const failing = ((name: string, _options: object, callback: (error: Error) => void) =>
  callback(
    Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }),
  )) as unknown as typeof lookUp

const check = (
  url: string,
  options: Partial<CallOptions> = {},
  signal = new AbortController().signal,
) => createHostCheck({ addresses: 'local', ...options })(new URL(url), signal)

describe('the check of a host', () => {
  test('succeeds without a request if a server accepts the connection', async () => {
    const sink = await openSink()
    expect(await check(`${sink.url}/paid`)).toBeUndefined()
    await sink.close()
    expect(sink.received).toEqual([])
  })

  test('reports a port without a server', async () => {
    expect(await check(`http://127.0.0.1:${await freePort()}/paid`)).toMatch(
      /^No server listens at 127\.0\.0\.1:\d+\. Start the shop/,
    )
  })

  test('reports a host that does not resolve', async () => {
    expect(await check('https://shop.example/paid', { lookup: failing })).toBe(
      'The host shop.example is unknown on the machine of the gateway. Correct it, or add it to DNS.',
    )
  })

  test.each<[string, Partial<CallOptions>]>([
    ['http://169.254.169.254/', {}],
    ['http://metadata.google.internal/', {}],
    ['http://shop.example/', { lookup: resolvesTo('169.254.169.254') }],
    ['http://127.0.0.1:1/', { addresses: 'strict' }],
    ['http://shop.example:1/', { addresses: 'strict', lookup: resolvesTo('10.0.0.1') }],
    ['http://127.0.0.1:1/', { database: { host: 'localhost', port: 1 } }],
  ])('omits %s, which webhooks cannot call', async (url, options) => {
    expect(await check(url, options)).toBeUndefined()
  })

  test('ends with the gateway while the resolver is silent', async () => {
    const silent = (() => undefined) as unknown as typeof lookUp
    const closing = new AbortController()
    const checking = check('http://shop.example/', { lookup: silent }, closing.signal)
    closing.abort()
    expect(await checking).toContain('stopped')
  })
})
