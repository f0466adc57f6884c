import { expect, test } from 'vitest'
import type { Reply } from '../../../mock-gateway/webhooks/transport.ts'
import { MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { until } from '../../helpers/sink.ts'
import { newSubscription } from '../subscriptions/new-subscription.ts'
import { consoleOf } from '../web/console/client.ts'
import { crawl, marksOf } from '../web/console/crawl.ts'
import { controlOf } from '../web/control/client.ts'

/** Text that opens an element, an attribute, a comment or a template if it is not escaped. */
const HOSTILE = `<img src=x onerror=alert(1)></script><script>'"><!--{{ form_token }}`
const LINES = 'a\r\nSet-Cookie: evil=1\u001b[2J\u009b1A\u202e'

/** Answer of the shop to webhooks. */
const ANSWER: Reply = {
  code: 404,
  message: HOSTILE,
  headers: { [HOSTILE]: HOSTILE, line: LINES },
  body: HOSTILE,
  error: null,
}

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'
const shop = await sharedGateway({
  merchants: [MERCHANT, RIVAL],
  control: KEY,
  // Only this machine reaches the gateway, so merchants have the pages of the local sandbox.
  hosts: ['localhost'],
  webhooks: { call: async () => ANSWER },
})

await fill()
const [client, administrator] = [consoleOf(shop.gateway), consoleOf(shop.gateway)]
await client.logIn(1, MERCHANT.password)
await client.post('/1/templates/new', {
  name: 'hostile',
  source: `${HOSTILE}{% raw %}</textarea>`,
})
const pages = await crawl(client, '/1')
await administrator.logIn('admin', KEY)
const ofAll = await crawl(administrator, '/merchants', (path) => /^\/[a-z]/.test(path))

/** Fills every field of a merchant or a payer that the console shows with hostile text. */
async function fill() {
  const metadata = JSON.stringify({ [HOSTILE]: HOSTILE, deep: [{ [HOSTILE]: LINES }] })
  const written = {
    payment_ref: HOSTILE.slice(0, 64),
    customer_ref: HOSTILE,
    card_holder: HOSTILE.slice(0, 20),
    metadata,
    items: JSON.stringify([
      { artno: '1', description: HOSTILE, amount: '10.00', qty: '1', vat: '25' },
    ]),
    payment_details: JSON.stringify({ city: HOSTILE, first_name: LINES }),
    webhook: JSON.stringify([
      { trigger: 'payment', url: 'https://shop.example/hook' },
      { trigger: 'payment', email: 'a@shop.example' },
    ]),
  }
  const paid = await shop.post('/v1/transactions', payment({ ...written, store_card: true }), {
    'user-agent': HOSTILE,
    'accept-language': HOSTILE,
  })
  expect(paid.body.status).toBe('approved')
  for (const reason of [HOSTILE, LINES])
    await shop.post('/v1/refunds', { transaction_id: paid.body.id, amount: '1.00', reason })
  await shop.post('/v1/transactions', prepared({ ...written, payment_ref: LINES }))
  await shop.post('/v1/transactions', payment({ card_cvv: '201', card_holder: HOSTILE }))
  await shop.post(
    '/v1/transactions',
    payment({ hash: HOSTILE, amount: HOSTILE, currency: HOSTILE, locale: 'en' }),
  )
  await newSubscription(shop, { metadata }, { name: HOSTILE, description: HOSTILE })
  const control = controlOf(shop.gateway)
  await until(async () =>
    (await control.get<{ attempts: number }[]>('/webhooks/deliveries')).body.every(
      ({ attempts }) => attempts > 0,
    ),
  )
  const template = { name: 'hook', trigger: 'payment', url: `https://shop.example/'"><img/src=x>` }
  expect((await control.post('/webhooks/templates', template)).status).toBe(200)
}

/**
 * Returns false for pages whose styles are not the console's: previews of a merchant's own page
 * (see console/templates.test.ts), and stories as files, which contain their styles.
 */
const isOfConsole = (path: string) => !/\/preview$|\/story\.html$/.test(path)
/** Element of the console's only script, at the address where the gateway serves it. */
const OWN_SCRIPT = /<script src="\/assets\/console\.[0-9a-f]+\.js" defer><\/script>/

/**
 * Element of the console's only frame: the preview of a template, in a sandbox without exceptions.
 */
const OWN_FRAME =
  /<iframe name="look" title="As payers see it" sandbox src="\/console\/\d+\/templates\/[\w/?=]+"><\/iframe>/

const html = () =>
  [...pages, ...ofAll]
    .filter(
      ([path, { headers }]) => isOfConsole(path) && headers.get('content-type')?.includes('html'),
    )
    .map(
      ([path, page]) =>
        [
          path,
          { ...page, html: page.html.replace(OWN_SCRIPT, '').replace(OWN_FRAME, '') },
        ] as const,
    )

test('every page of the console was opened', () => {
  for (const path of [
    '/1/transactions/1',
    '/1/customers/1',
    '/1/plans/1',
    '/1/refunds/1',
    '/1/requests',
    '/1/templates/1',
    '/1/webhooks/1',
    '/1/mails/1',
    '/1/mails/1.eml',
    '/1/webhook_templates/hook',
    '/1/plans.csv',
  ])
    expect([...pages.keys()]).toContain(path)
  expect([...ofAll.keys()]).toEqual(expect.arrayContaining(['/merchants', '/requests']))
  expect([...pages, ...ofAll].filter(([, { status }]) => status !== 200)).toEqual([])
  expect(pages.get('/1/webhooks/1')?.html).toContain('Signature')
  for (const name of ['payment_ref', 'metadata', 'card_holder', 'raw_user_agent', 'city'])
    expect(pages.get('/1/transactions/1')?.html).toContain(name)
})

test('attacks 30 (console-stored-xss) and 19 (metadata-html): text of a merchant or payer stays text on every page', () => {
  let shown = 0
  for (const [path, page] of html()) {
    shown += page.html.split('&lt;img src=x onerror=alert(1)&gt;').length - 1
    expect(page.html, path).not.toMatch(/<img|<script|<!--|'">/)
  }
  expect(shown).toBeGreaterThan(20)
})

test('attack 39 (csp-no-unsafe): no page has its own inline script, style or handler, or allows one', () => {
  for (const [path, page] of html()) {
    const own = marksOf(page.html).filter((mark) =>
      /^<(?:script|style|iframe|object|base)|\s(?:on\w+|style)=/i.test(mark),
    )
    expect(own, path).toEqual([])
    expect(page.headers.get('content-security-policy'), path).not.toContain('unsafe')
  }
})

test('attack 30 (console-stored-xss): an exported story contains its styles and no script', () => {
  const files = [...pages].filter(([path]) => path.endsWith('/story.html'))
  expect(files.length).toBeGreaterThan(1)
  for (const [path, page] of files) {
    const [policy = ''] =
      /<meta http-equiv="Content-Security-Policy" content="[^"]*">/.exec(page.html) ?? []
    expect(policy, path).toContain("default-src 'none'; style-src 'unsafe-inline'")
    expect(page.html.replace(policy, ''), path).not.toMatch(/<img|<script|<!--|'">/)
    const marks = marksOf(page.html).filter((mark) =>
      /^<(?:iframe|object|base)|\s(?:on\w+|style)=/i.test(mark),
    )
    expect(marks, path).toEqual([])
  }
})

test('attack 133 (log-injection): line breaks and terminal commands in a field are shown as text and have no effect', () => {
  for (const [path, page] of [...pages, ...ofAll]) {
    for (const character of ['\u001b', '\u009b', '\u202e'])
      expect(page.html, path).not.toContain(character)
    expect([...page.headers.keys()], path).not.toContain('set-cookie')
  }
  expect(pages.get('/1/refunds.csv')?.html).toContain(
    '"a\r\nSet-Cookie: evil=1\ufffd[2J\ufffd1A\ufffd"',
  )
})

test('attack 116 (idor-console): a merchant cannot open a page of another merchant', async () => {
  const rival = consoleOf(shop.gateway)
  await rival.logIn(2, RIVAL.password)
  for (const path of [...pages.keys(), ...ofAll.keys()])
    expect((await rival.get(path)).status, path).toBe(404)
})

test('attacks 47 (csrf-console) and 116 (idor-console): no form of any page is accepted without its token, from another site or from another merchant', async () => {
  const forms = [...pages.values()].flatMap(({ html }) => html.match(/<form [^>]*>/g) ?? [])
  const actions = new Set(
    forms
      .filter((form) => form.includes('method="post"'))
      .flatMap((form) => /action="\/console(\/1\/[^"]*)"/.exec(form)?.[1] ?? []),
  )
  expect(actions.size).toBeGreaterThan(40)
  const [client, rival] = [consoleOf(shop.gateway), consoleOf(shop.gateway)]
  await client.logIn(1, MERCHANT.password)
  await rival.logIn(2, RIVAL.password)
  for (const action of actions) {
    const answers = [
      await client.post(action, { form_token: undefined }),
      await client.post(action, { form_token: rival.token() }),
      await client.post(action, {}, { 'sec-fetch-site': 'cross-site' }),
      await client.post(action, {}, { origin: 'https://evil.example' }),
      await rival.post(action),
    ]
    expect(
      answers.map(({ status }) => status),
      action,
    ).toEqual([401, 401, 403, 403, 404])
  }
})
