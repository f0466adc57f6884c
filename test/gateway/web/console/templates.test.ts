import { expect, test } from 'vitest'
import { prepared, TEMPLATES } from '../../../helpers/gateway.ts'
import { asWritten } from '../../../helpers/own-page.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { loggedIn, textOf } from './client.ts'

const shop = await sharedGateway({ templates: TEMPLATES })
const client = await loggedIn(shop.gateway)

const SOURCE =
  '<style>p { color: red }</style><script>alert(1)</script>\n<p>{{ transaction.payment_ref }}</p>'

/**
 * Creates a template with the form.
 * @returns the path of its page
 */
async function make(source = SOURCE): Promise<string> {
  const { status, to } = await client.post('/1/templates/new', {
    name: 'mine',
    kind: 'page',
    source,
  })
  expect(status).toBe(303)
  return to?.replace(/^\/console|\?.*$/g, '') ?? ''
}

test('a template is created, changed, used and deleted', async () => {
  const path = await make('\nfirst\r\nsecond')
  const shown = await client.get(path)
  // Browsers ignore the first line break of a textarea.
  expect(shown.html).toContain('spellcheck="false">\n\nfirst\nsecond</textarea>')
  const changed = await client.post(path, {
    name: 'other',
    kind: 'page',
    source: '<b>{{ amount }}</b>',
  })
  expect(changed.to).toBe(`/console${path}?done=saved`)
  const { body } = await shop.post(
    '/v1/transactions',
    prepared({ template_id: Number(path.split('/').at(-1)) }),
  )
  expect(asWritten((await shop.browser.get<string>(new URL(body.href).pathname)).body)).toBe(
    '<b>10.00</b>',
  )
  expect((await client.post(`${path}/remove`)).to).toBe('/console/1/templates?done=removed')
  expect((await client.get(path)).status).toBe(404)
})

test('a preview shows the page with a transaction, or without one, in a sandbox without scripts and forms', async () => {
  const path = await make()
  const { body } = await shop.post('/v1/transactions', prepared())
  const filled = await client.get(`${path}/preview?transaction_id=${body.id}`)
  expect(filled.html).toContain(`<p>${body.payment_ref}</p>`)
  expect((await client.get(`${path}/preview`)).html).toContain('<p></p>')
  expect(filled.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self' https: http: 'unsafe-inline'; " +
      "img-src 'self' https: http: data:; font-src 'self' https: http: data:; " +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  )
  expect(filled.headers.get('x-frame-options')).toBe('DENY')
  expect(filled.headers.get('cache-control')).toBe('no-store, private')
  expect(filled.headers.get('referrer-policy')).toBe('no-referrer')
})

test('the preview next to the source shows the typed template with the newest payment, in a sandbox that only the console can frame', async () => {
  const { body } = await shop.post('/v1/transactions', prepared())
  const shown = await client.post('/1/templates/look', { kind: 'page', source: SOURCE })
  expect(shown.html).toContain(`<p>${body.payment_ref}</p>`)
  const policy = shown.headers.get('content-security-policy')
  expect(policy).toMatch(/default-src 'none'.*form-action 'none'; frame-ancestors 'self'; sandbox$/)
  expect(policy).not.toContain('script-src')
  const broken = await client.post('/1/templates/look', {
    kind: 'page',
    source: "{% include '<img>' %}",
  })
  expect(textOf(broken.html)).toContain('No preview')
  expect(broken.html).not.toContain('<img')
  const long = await client.post('/1/templates/look', {
    kind: 'page',
    source: 'x'.repeat(65_537),
  })
  expect(textOf(long.html)).toContain('The source has more than 65536 characters')
  const path = await make()
  expect((await client.get(path)).html).toContain(
    `sandbox src="/console${path}/preview?frame=true"`,
  )
  expect((await client.get(`${path}/preview?frame=true`)).headers.get('x-frame-options')).toBeNull()
})
