import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createMerchant, MERCHANT } from '../../../helpers/gateway.ts'
import { TEST_PUBLIC_KEY } from '../../../helpers/keys.ts'
import { sharedFolder } from '../../../helpers/shared.ts'
import { openGateway, sharedGateway } from '../../../helpers/shared-gateway.ts'

const LIBRARY =
  '/*! mondido-js 9.8.7, MIT */\nglobalThis.seen = __mondido_config;\n//# sourceMappingURL=mondido.min.js.map\n'
const ADVICE = 'export const describe = () => "what is wrong";\n'
const ADDRESSES = {
  base: 'https://api.example',
  pay: 'https://pay.example/</script><b>',
  cdn: 'https://cdn.example',
}

const folder = await sharedFolder()
await writeFile(join(folder, 'library.js'), LIBRARY)
await writeFile(join(folder, 'mondido-advice.js'), ADVICE)
const other = createMerchant(2, { three_d_secure: 'off' as const })
const shop = await sharedGateway({
  merchants: [MERCHANT, other],
  addresses: ADDRESSES,
  library: join(folder, 'library.js'),
})

const UNPACK = { br: brotliDecompressSync, gzip: gunzipSync, identity: (same: Buffer) => same }
const bytesOf = async (answer: Response) => ({
  headers: answer.headers,
  bytes: Buffer.from(await answer.arrayBuffer()),
})

const load = (path: string, headers = {}) => shop.browser.get<string>(path, {}, headers)

/** Runs a script like a page. Returns the library's configuration and the console messages. */
function run(script: string) {
  const said: string[] = []
  const page: { seen?: unknown } = {}
  runInNewContext(
    script,
    Object.assign(page, { console: { error: (text: string) => said.push(text) } }),
  )
  return { seen: page.seen as Record<string, string> | undefined, said }
}

for (const path of [
  '/v2/mondido.js?merchant_id=1',
  '/v1/mondido.js?merchant_id=1',
  '/v2/mondido.js?merchant_id=1&x=y',
])
  describe(`the library at ${path}`, () => {
    test('contains the merchant, its public key and the address of the gateway', async () => {
      const { status, body } = await load(path)
      expect(status).toBe(200)
      const { seen } = run(body)
      expect(seen).toEqual({
        merchantId: '1',
        publicKey: expect.any(String),
        apiUrl: ADDRESSES.base,
        payUrl: ADDRESSES.pay,
        cdnUrl: ADDRESSES.cdn,
        mpiUrl: `${ADDRESSES.pay}/v1/mpi_js`,
      })
      expect(seen?.publicKey?.trim()).toBe(TEST_PUBLIC_KEY)
    })
  })

test("the library's explanations for developers are a module of their own, for pages of any origin", async () => {
  const { status, headers, body } = await load('/v2/mondido-advice.js?v=2.0.0')
  expect([status, body]).toEqual([200, ADVICE])
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(
    (await load('/v2/mondido-advice.js', { 'if-none-match': headers.get('etag') ?? '' })).status,
  ).toBe(304)
})

describe('the script', () => {
  const path = '/v2/mondido.js?merchant_id=1'

  for (const [name, value] of [
    ['Content-Type', 'text/javascript; charset=utf-8'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'public, no-cache'],
    ['Vary', 'Accept-Encoding'],
    ['Access-Control-Allow-Origin', '*'],
    ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ] as const)
    test(`is sent with ${name}: ${value}`, async () =>
      expect((await load(path)).headers.get(name)).toBe(value))

  test('is the built file after one line of configuration', async () => {
    const [, ...rest] = (await load(path)).body.split('\n')
    expect(rest.join('\n')).toBe(LIBRARY)
  })

  test('contains no secret', async () => {
    const { body } = await load(path)
    for (const secret of [MERCHANT.password, MERCHANT.secret, 'PRIVATE KEY'])
      expect(body).not.toContain(secret)
  })

  test('is not sent again to a browser that has it', async () => {
    const etag = (await load(path)).headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]+"$/)
    const again = await load(path, { 'if-none-match': etag })
    expect({ status: again.status, body: again.body }).toEqual({ status: 304, body: '' })
    expect((await load(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ] as const)('is compressed for a browser that accepts %s: %s', async (accepted, encoding) => {
    const plain = (await load(path)).body
    for (const time of ['first', 'again']) {
      const request = new Request(`http://localhost:4400${path}`, {
        headers: { 'accept-encoding': accepted },
      })
      const { headers, ...answer } = await bytesOf(await shop.gateway.handle(request))
      expect([time, headers.get('content-encoding'), headers.get('vary')]).toEqual([
        time,
        encoding,
        'Accept-Encoding',
      ])
      expect(UNPACK[encoding ?? 'identity'](answer.bytes).toString()).toBe(plain)
    }
  })
})

describe('for an unknown merchant, the script reports its mistake on the browser’s console:', () => {
  for (const merchantId of [
    '99',
    '',
    '01',
    'abc',
    '"+alert(1)+"',
    '</script><script>alert(1)</script>',
    '\u2028',
    'x'.repeat(9_999),
  ])
    test(`merchant_id=${merchantId.slice(0, 40)}`, async () => {
      const { status, headers, body } = await load(
        `/v2/mondido.js?merchant_id=${encodeURIComponent(merchantId)}`,
      )
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
      expect(body).not.toMatch(/<\/script/i)
      const { seen, said } = run(body)
      expect(seen).toBeUndefined()
      expect(said).toEqual([
        expect.stringContaining(`The merchant "${merchantId.slice(0, 40)}" does not exist`),
      ])
    })

  test('a missing merchant_id', async () => {
    expect(run((await load('/v2/mondido.js')).body).said).toHaveLength(1)
  })
})

test('a gateway without a built library reports this on the console', async () => {
  const unbuilt = await openGateway({ library: join(folder, 'nowhere', 'nothing.js') })
  const { status, body } = await unbuilt.browser.get<string>('/v2/mondido.js?merchant_id=1')
  expect(status).toBe(200)
  expect(run(body).said).toEqual([
    'mondido.js: the gateway has no built library. Run npm run build.',
  ])
  expect(body).not.toContain(folder)
  expect((await unbuilt.browser.get<string>('/v2/mondido-advice.js')).body).toBe(body)
})

describe('the library’s address with a version', () => {
  test('is the same file for every merchant, and never changes', async () => {
    const { status, headers, body } = await load('/v2/mondido-9.8.7.js')
    expect([status, body]).toEqual([200, LIBRARY])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each(['9.8.6', 'latest', '9.8.7.1'])(
    'has a message for the unknown version %s, which is not cached',
    async (version) => {
      const { headers, body } = await load(`/v2/mondido-${version}.js`)
      expect(run(body).said.join()).toContain(
        'the gateway has version 9.8.7. Copy its tag from the console',
      )
      expect(headers.get('cache-control')).toBe('no-store, private')
    },
  )
})
