import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CARD, type Fields, prepared } from '../../../helpers/gateway.ts'
import { asWritten } from '../../../helpers/own-page.ts'
import { sharedFolder } from '../../../helpers/shared.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { controlOf } from '../control/client.ts'

const OLD_PAGE = `<!doctype html>
<html><head><title>{{ transaction.merchant.name }}</title>
<script src="https://code.example/jquery.js"></script></head>
<body>
<p id="order">{{ transaction.payment_ref }} {{ transaction.amount }} {{ currency }}</p>
<p id="metadata">{{ transaction.metadata }}</p>
<p id="error">{{ error.name }}: {{ error.description }}</p>
<script>var metadata = '{{ transaction.metadata | replace_metadata }}', json = {{ transaction.metadata | json }}</script>
<input name='metadata["k"]' value="{{ transaction.metadata['k'] }}">
<a href="{{ transaction.metadata['k'] }}">link</a>
<form id="mondidopayform" method="post"><input name="card_holder"><input name="card_number"><input name="card_cvv">
<input name="expMM"><input name="expYY"><input type="hidden" name="card_expiry"><input type="hidden" name="card_type"></form>
{% include 'footer' %}
</body></html>`

const FILES = {
  '3-old.liquid': OLD_PAGE,
  '4-footer.partial.liquid': '<footer>{{ transaction.merchant.name }}</footer>',
  '5-broken.liquid': '{% include "no such part" %}',
  '6-slow.liquid':
    '{% assign x = "a," %}{% for i in (1..18) %}{% assign x = x | append: x %}{% endfor %}{% for i in (1..1000) %}{% for j in (1..1000) %}{% if x contains "b" %}{% endif %}{% endfor %}{% endfor %}',
}

const folder = await sharedFolder()
for (const [file, source] of Object.entries(FILES)) await writeFile(join(folder, file), source)
const shop = await sharedGateway({ templates: folder })

async function prepare(over: Fields = {}) {
  const { status, body } = await shop.post(
    '/v1/transactions',
    prepared({ template_id: 3, ...over }),
  )
  expect({ status, body }).toMatchObject({ status: 200 })
  return { id: body.id, ref: body.payment_ref, path: new URL(body.href).pathname }
}
const open = (path: string) => shop.browser.get<string>(path)
const { submit } = shop.browser
/**
 * Form of an old page: the expiry in two fields, empty hidden fields, and blanks in the card
 * number.
 */
const OLD_FORM = {
  card_holder: CARD.card_holder,
  card_number: '4111 1111 1111 1111',
  card_cvv: '200',
  expMM: '12',
  expYY: '30',
  card_expiry: '',
  card_type: '',
}
const eventsOf = async (id: number) =>
  (await shop.get(`/v1/transactions/${id}`)).body.log_events.map(({ data }) => data)

describe('a payment with template_id', () => {
  test('shows the page template', async () => {
    const { path, ref } = await prepare({ amount: '12.50', metadata: '{"a":"b"}' })
    const { status, headers, body } = await open(path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('text/html')
    expect(body).toContain(`<p id="order">${ref} 12.50 sek</p>`)
    expect(body).toContain('<p id="metadata">{&#34;a&#34;:&#34;b&#34;}</p>')
    expect(body).toContain('<footer>Merchant 1</footer>')
  })

  test('gives its scripts the payment data, and allows only them', async () => {
    const { id, path } = await prepare()
    const [one, other] = await Promise.all([open(path), open(path)])
    const nonces = [one, other].map(({ headers, body }) => {
      const policy = headers.get('content-security-policy') ?? ''
      const nonce = /script-src 'nonce-([\w+/=]{24})' 'strict-dynamic'/.exec(policy)?.[1] ?? ''
      expect(nonce).not.toBe('')
      expect(body.match(/<script[^>]*>/g)?.every((tag) => tag.includes('nonce='))).toBe(true)
      expect(asWritten(body).match(/<script/g)).toHaveLength(3)
      expect(policy).not.toMatch(/script-src [^;]*unsafe-inline/)
      return nonce
    })
    expect(nonces[0]).not.toBe(nonces[1])
    const token = path.split('/').at(-1)
    expect(one.body).toContain(
      `window.Mondido = {"token":"${token}","transaction":{"id":${id}},"merchant":{"id":1}}`,
    )
  })

  for (const [what, template_id] of [
    ['does not exist', 99],
    ['is not a page template', 4],
  ] as const)
    test(`a template_id that ${what} is rejected with error 103, and nothing is stored`, async () => {
      const order = prepared({ template_id })
      const { status, body } = await shop.post('/v1/transactions', order)
      expect({ status, code: body.code, name: body.name }).toEqual({
        status: 404,
        code: 103,
        name: 'errors.template.not_found',
      })
      const found = await shop.get<unknown[]>('/v1/transactions', {
        'filter[payment_ref]': order.payment_ref,
      })
      expect(found.body).toEqual([])
    })
})

describe('a page template with a mistake', () => {
  for (const [what, template_id, reason] of [
    ['that includes a missing template', 5, 'no such part'],
    ['that takes too long (attack 28, liquid-cpu)', 6, /limit|longer/],
  ] as const)
    test(`${what} is replaced by the built-in page, and the payment is made`, async () => {
      const { id, path } = await prepare({ template_id })
      const { status, body } = await open(path)
      expect(status).toBe(200)
      expect(body).toContain('Kortnummer')
      await open(path)
      const failures = (await eventsOf(id)).filter(({ event }) => event === 'template_failed')
      expect(failures).toHaveLength(1)
      expect(failures[0]).toMatchObject({ what: 'page', template_id })
      expect(String(failures[0]?.reason)).toMatch(reason)
      const told = await controlOf(shop.gateway).get<{ failures: object[] }>(
        `/templates/${template_id}/problems`,
      )
      expect(told.body.failures).toContainEqual(
        expect.objectContaining({ transaction_id: id, reason: failures[0]?.reason }),
      )
      expect((await submit(path, OLD_FORM)).headers.get('location')).toContain('status=approved')
    })
})

test('attack 38 (error-page-reflection): an unknown error name is not repeated', async () => {
  const { path } = await prepare()
  const { body } = await open(
    `${path}?error_name=${encodeURIComponent('<script>x</script>marker')}`,
  )
  expect(body).not.toContain('marker')
})
