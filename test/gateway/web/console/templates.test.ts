import { describe, expect, test } from 'vitest'
import { STARTERS } from '../../../../mock-gateway/web/console/settings/starters.ts'
import { MERCHANT, prepared, TEMPLATES } from '../../../helpers/gateway.ts'
import { asWritten } from '../../../helpers/own-page.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { loggedIn, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }

const shop = await sharedGateway({ merchants: [MERCHANT, RIVAL], templates: TEMPLATES })
const client = await loggedIn(shop.gateway)
const rival = await loggedIn(shop.gateway, 2)

const SOURCE =
  '<style>p { color: red }</style><script>alert(1)</script>\n<p>{{ transaction.payment_ref }}</p>'

/**
 * Creates a template with the form.
 * @returns the path of its page
 */
async function make(source = SOURCE): Promise<string> {
  const { status, to } = await client.post('/1/templates', { name: 'mine', kind: 'page', source })
  expect(status).toBe(303)
  return to?.replace(/^\/console|\?.*$/g, '') ?? ''
}

test('the page lists templates of files and the merchant’s own', async () => {
  const path = await make()
  const { html } = await client.get('/1/templates')
  expect(html).toContain(`href="/console${path}"`)
  expect(textOf(html)).toMatch(/3 plain Payment page a file, for all merchants/)
  expect(textOf(html)).toMatch(/4 footer Partial template a file, for all merchants/)
  expect(textOf(html)).toMatch(/mine Payment page the database/)
  expect((await rival.get('/2/templates')).html).not.toContain('mine')
})

test('a template is created, changed, used and deleted', async () => {
  const path = await make('\nfirst\r\nsecond')
  const shown = await client.get(path)
  // Browsers ignore the first line break of a textarea.
  expect(shown.html).toContain('required>\n\nfirst\nsecond</textarea>')
  const changed = await client.post(`${path}/change`, {
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

test('a source with a mistake stays in the form, with the reason', async () => {
  const source = `</textarea><b>${'x'.repeat(65_536)}`
  for (const at of ['/1/templates', `${await make()}/change`]) {
    const { status, html } = await client.post(at, { name: 'mine', kind: 'page', source })
    expect(status).toBe(400)
    expect(textOf(html)).toContain('source must be a text of 0 to 65536 characters')
    expect(html).toContain('\n&lt;/textarea&gt;&lt;b&gt;xxx')
    expect(html).toContain('name="name" value="mine"')
  }
})

test('the page of a template lists its problems', async () => {
  const path = await make('<form method="post">\n{{ transaction.amount | raw }}\n</form>')
  expect(textOf((await client.get(path)).html)).toMatch(/Problems Line Problem 2 [^.]*raw/)
  const { body } = await shop.post('/v1/transactions', prepared({ template_id: 5 }))
  await shop.browser.get(new URL(body.href).pathname)
  const { html } = await client.get('/1/templates/5')
  expect(textOf(html)).toContain('Payments whose page failed')
  expect(html).toContain(`href="/console/1/transactions/${body.id}"`)
})

test('a template from a file is shown and cannot be changed', async () => {
  const { html } = await client.get('/1/templates/3')
  expect(textOf(html)).toContain('This template is a file')
  expect(html).not.toContain('/change"')
  for (const act of ['change', 'remove']) {
    const fields = { name: 'plain', kind: 'page', source: 'x' }
    expect((await client.post(`/1/templates/3/${act}`, fields)).status).toBe(400)
  }
})

describe('a preview', () => {
  test('shows the page with a transaction, or without one, in a sandbox without scripts and forms', async () => {
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

  test('a preview of a template with a mistake is a page with the reason', async () => {
    const { status, html } = await client.get('/1/templates/5/preview')
    expect(status).toBe(200)
    expect(textOf(html)).toContain('no such part')
  })

  test('never contains a transaction of another merchant', async () => {
    const { body } = await shop.post('/v1/transactions', prepared())
    expect((await rival.get(`/2/templates/3/preview?transaction_id=${body.id}`)).status).toBe(404)
  })
})

describe('a merchant cannot use templates of others, attack 116 (idor-console):', () => {
  test('a template of another merchant is not found', async () => {
    const id = (await make()).split('/').at(-1)
    for (const home of ['/1', '/2']) {
      for (const path of ['', '/preview'])
        expect((await rival.get(`${home}/templates/${id}${path}`)).status).toBe(404)
      for (const act of ['change', 'remove']) {
        const fields = { name: 'mine', kind: 'page', source: 'theirs' }
        expect((await rival.post(`${home}/templates/${id}/${act}`, fields)).status).toBe(404)
      }
    }
    expect((await client.get(`/1/templates/${id}`)).html).not.toContain('theirs')
  })
})

describe('the preview next to the source', () => {
  test.each(Object.entries(STARTERS))(
    'has no problems with the starting template %s',
    async (name, { title, source }) => {
      const { html, headers } = await client.get(`/1/templates/new?starter=${name}`)
      expect((await client.get('/1/templates')).html).toContain(
        `href="/console/1/templates/new?starter=${name}">${title}`,
      )
      expect(textOf(html)).toContain(source.slice(-60).replace(/\s+/g, ' ').trim())
      expect(headers.get('content-security-policy')).toContain("frame-src 'self'")
      const [frame = ''] = html.match(/<iframe [^>]*>/) ?? []
      expect(frame).toBe(
        `<iframe name="look" title="As payers see it" sandbox src="/console/1/templates/look?starter=${name}">`,
      )
      expect((await client.get(`/1/templates/look?starter=${name}`)).html).toMatch(
        /Order |Thank you/,
      )
      const kind = STARTERS[name]?.kind ?? ''
      const { to } = await client.post('/1/templates', { name: `begun-${name}`, kind, source })
      expect(textOf((await client.get(to?.replace('/console', '') ?? '')).html)).not.toContain(
        'Problems',
      )
    },
  )

  test('shows the typed template with the newest payment, in a sandbox that only the console can frame', async () => {
    const { body } = await shop.post('/v1/transactions', prepared())
    const shown = await client.post('/1/templates/look', { kind: 'page', source: SOURCE })
    expect(shown.html).toContain(`<p>${body.payment_ref}</p>`)
    const policy = shown.headers.get('content-security-policy')
    expect(policy).toMatch(
      /default-src 'none'.*form-action 'none'; frame-ancestors 'self'; sandbox$/,
    )
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
    expect(
      (await client.get(`${path}/preview?frame=true`)).headers.get('x-frame-options'),
    ).toBeNull()
  })

  test('rejects forms of other pages, and shows nothing to another merchant (attacks 47 csrf-console, 116 idor-console)', async () => {
    const written = { kind: 'page', source: SOURCE }
    expect((await client.post('/1/templates/look', { ...written, form_token: 'x' })).status).toBe(
      401,
    )
    for (const path of [
      '/1/templates/new',
      '/1/templates/look',
      `${await make()}/preview?frame=true`,
    ])
      expect((await rival.get(path)).status).toBe(404)
    expect((await rival.post('/1/templates/look', written)).status).toBe(404)
    expect((await client.get('/1/templates/new?starter=__proto__')).status).toBe(200)
  })
})
