import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { hurry, launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { startCheckout } from '../helpers/checkout.ts'
import { clientAt, prepared } from '../helpers/gateway.ts'
import { serve } from '../helpers/listening.ts'
import { callControl } from '../helpers/running.ts'
import { share } from '../helpers/shared.ts'

const JQUERY = {
  '1.12': 'jquery-1.12',
  '4': 'jquery',
} as const

/** Script that a page loads later. Old pages loaded their texts and checks in this way. */
const PLUGIN = "$('#fetched').text('fetched'); $.fn.showPaying = function () { return this.show() }"

/** Starts the merchant's server for scripts, on its own origin. */
const startCodeHost = () =>
  serve(async ({ url = '/' }, response) => {
    const [, name = ''] = /^\/(jquery[\w.-]*)\.js/.exec(url) ?? []
    response.setHeader('Content-Type', 'text/javascript')
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.end(
      name === ''
        ? PLUGIN
        : await readFile(new URL(`../../node_modules/${name}/dist/jquery.js`, import.meta.url)),
    )
  })

const checkout = await share(startCheckout())
const code = await share(startCodeHost())
const browser = await launchBrowser()

const FIELDS = `<input name="card_holder"><input name="card_number"><input name="card_cvv">
<input name="expMM"><input name="expYY"><input type="hidden" name="card_expiry"><input type="hidden" name="card_type">`

/** Returns a typical page of a merchant in 2016, which is hidden until its scripts have run. */
const oldPage = (jquery: string) => `<!doctype html>
<html><head><meta charset="utf-8"><title>{{ transaction.merchant.name }}</title>
<script src="${code.url}/${jquery}.js"></script></head>
<body onload="$('#loaded').text('loaded')">
<p id="loaded"></p><p id="fetched"></p><p id="chosen"></p><p id="version"></p><div id="built"></div>
<button type="button" id="tab" onclick="choose('{{ transaction.payment_ref }}')">Card</button>
<form id="mondidopayform" method="post" style="display:none" onsubmit="return complete(this)">${FIELDS}
<button>Pay {{ transaction.amount }}</button></form>
<script>
var metadata = JSON.parse('{{ transaction.metadata | replace_metadata }}')
function choose(ref) { $('#chosen').html('<b>' + ref + '</b>') }
function complete(form) {
  $(form).find('[name=card_expiry]').val($('[name=expMM]').val() + $('[name=expYY]').val())
  return form.card_number.value !== ''
}
$(document).ready(function () {
  $('#version').text($.fn.jquery)
  $('#built').html('<a href="#" onclick="choose(metadata.a); return false">' + metadata.a + '</a>')
  $.getScript('${code.url}/plugin.js', function () { $('#mondidopayform').showPaying() })
})
</script></body></html>`

/** Factor by which a page's timers are sped up in tests that would wait for seconds. */
const QUICK = 3
/** Factor that slows a page's timers: its form must appear within the limit on a busy machine too. */
const SLOW = 0.1

/**
 * Stores a page as a template, and opens a payment on it.
 * @param times factor that speeds up the page's timers
 */
async function openOwn(
  source: string,
  options: Parameters<TestBrowser['open']>[0] = {},
  times = 1,
) {
  const { gateway } = checkout
  const shop = clientAt(gateway.url, gateway.merchant)
  const { id: template_id } = await callControl<{ id: number }>(gateway, 'POST', '/templates', {
    source,
  })
  const order = {
    ...prepared({ template_id, metadata: '{"a":"b"}' }),
    success_url: `${code.url}/thanks`,
  }
  const { body: transaction } = await shop.post('/v1/transactions', order)
  const watched = await browser.open(options)
  await hurry(watched.page, times)
  await watched.page.goto(transaction.href)
  return { ...watched, transaction }
}

describe.each(Object.entries(JQUERY))('a merchant’s own page with jQuery %s', (version, name) => {
  test('runs its scripts and handlers, and takes a payment', async () => {
    const { page, problems, transaction } = await openOwn(oldPage(name))
    await page.waitForSelector('#mondidopayform', { state: 'visible' })
    expect(await page.innerText('#version')).toMatch(new RegExp(`^${version.replace('.', '\\.')}`))
    expect(await page.innerText('#loaded')).toBe('loaded')
    expect(await page.innerText('#fetched')).toBe('fetched')
    await page.click('#tab')
    expect(await page.innerText('#chosen b')).toBe(transaction.payment_ref)
    await page.click('#built a')
    expect(await page.innerText('#chosen b')).toBe('b')
    const typed = {
      card_holder: 'Kim',
      card_number: '4111 1111 1111 1111',
      card_cvv: '200',
      expMM: '12',
      expYY: '38',
    }
    for (const [field, value] of Object.entries(typed)) await page.fill(`[name=${field}]`, value)
    await page.click('#mondidopayform button')
    await page.waitForURL(`${code.url}/thanks?**`)
    expect(new URL(page.url()).searchParams.get('status')).toBe('approved')
    expect(problems.filter((problem) => !problem.includes('favicon.ico'))).toEqual([])
  })
})

/**
 * Returns a page like the service's own page of 2016: with its settings, scripts by filters, tabs,
 * and texts by name.
 */
const servicePage = (jquery: string) => `<!DOCTYPE html>
<html lang="en"><head><meta charset="UTF-8">
<script>
var mondidoSettings = {
  activePaymentMethod: "{{ transaction.merchant.settings_hosted['v2']['active_payment_method'] | default_payment_method }}",
  supportedPaymentMethods: [
    { name: 'credit_card_tab', active: {{ transaction.merchant.settings_hosted['v2']['credit_card']['active'] | default_true }} },
    { name: 'swish_tab', active: {{ transaction.merchant.settings_hosted['v2']['nothing'] | default_true }} },
    { name: 'paypal_tab', active: {{ transaction.merchant.settings_hosted['v2']['paypal']['active'] | default_false }} },
    { name: 'invoice_tab', active: {{ transaction.merchant.settings_hosted['v2']['nothing'] | default_true }} }
  ],
  metadata: '{{ transaction.metadata | replace: "'", "" }}',
  country_code: '{{ transaction.payment_details.country_code | default_country }}',
  config: { system: { endpoint: "{{ transaction.merchant.settings_hosted['v2']['system']['endpoint']['pay'] | default_endpoint }}" } }
}
</script>
<link rel="stylesheet" href="{{ transaction.merchant.settings_hosted['v2']['system']['endpoint']['css'] | default_css_endpoint }}">
<title>{{ transaction.merchant.settings_hosted['v2']['layout']['name'] | default_string_empty_name }} payment window</title></head>
<body>
{% assign show_swish = transaction.merchant.settings_hosted['v2']['nothing'] | default_true %}
<div class="mondido-load">…</div>
<div class="mondido-payment" style="display:none;">
<ul class="nav nav-tabs" role="tablist">
<li class="credit_card_tab" style="display:none;"><a href="#credit_card_tab" aria-controls="credit_card_tab" role="tab"><small data-mulang="card_payment">Card</small></a></li>
{% if show_swish == true %}<li class="swish_tab" style="display:none;"><a href="#swish_tab" aria-controls="swish_tab" role="tab"><small data-mulang="swish_payment">Swish</small></a></li>{% endif %}
<li class="paypal_tab" style="display:none;"><a href="#paypal_tab" aria-controls="paypal_tab" role="tab">PayPal</a></li>
<li class="invoice_tab" style="display:none;"><a href="#invoice_tab" aria-controls="invoice_tab" role="tab"><small data-mulang="invoice_payment">Invoice</small></a></li>
</ul>
<p class="amount" data-mulang="amount['{{ transaction.amount | round }}','{{ currency }}']"></p>
<div id="errors" class="alert"></div>
<div class="tab-pane" id="credit_card_tab"><form id="mondidopayform" method="post" novalidate>
<input type="hidden" name="card_expiry" id="card_expiry"><input type="hidden" name="card_type" id="card_type">
<label data-mulang="card_holder">Name</label><input class="form-control" name="card_holder" data-mulang="card_holder_placeholder:placeholder">
<label data-mulang="card_number">Number</label><input class="form-control" type="tel" name="card_number" maxlength="19">
<div class="row"><div class="col-xs-4"><label data-mulang="exp_month">MM</label><input class="form-control" name="expMM" maxlength="2"></div>
<div class="col-xs-4"><label data-mulang="exp_year">YY</label><input class="form-control" name="expYY" maxlength="2"></div>
<div class="col-xs-4"><label data-mulang="cvc">CVV</label><input class="form-control" name="card_cvv" maxlength="4"></div></div>
<input type="submit" class="btn" id="paybtn-cc" value="Pay" data-mulang="pay_button:value"></form></div>
<div class="tab-pane" id="swish_tab"><form action="javascript:void(0);" id="swishform" method="post">
<input type="hidden" name="swish" value="1"><input class="form-control" type="tel" name="swish_number"><input type="submit" class="btn" value="Betala"></form></div>
<div class="tab-pane" id="paypal_tab"><form action="javascript:void(0);" id="paypalform" method="post"><input type="hidden" name="paypal" value="1"></form></div>
<div class="tab-pane" id="invoice_tab"><form id="invoiceform" method="post">
<input type="hidden" id="payment_method" name="payment_method"><input type="hidden" id="country_code" name="country_code" value="{{ transaction.payment_details.country_code }}">
<input id="email" name="email" class="form-control"><div class="hidden" id="row-phone-details"><input id="phone" name="phone"></div>
<div class="hidden" id="row-ssn-details"><input id="ssn" name="ssn"></div>
<div class="hidden state-customer-details"><input class="invoice-input" id="first_name" name="first_name" disabled><input class="invoice-input" id="city" name="city" disabled></div></form></div>
</div>
<script src="${code.url}/${jquery}.js"></script>
<script src="{{ transaction.merchant.settings_hosted['v2']['system']['endpoint']['lang'] | default_lang_endpoint }}"></script>
<script src="{{ transaction.merchant.settings_hosted['v2']['system']['endpoint']['payment_js'] | default_payment_js_endpoint }}"></script>
<script>$(document).ready(function () { $('.mondido-load').hide(); $('.mondido-payment').fadeIn(500) })</script>
</body></html>`

test("a page of 2016 works with replacements for the service's scripts", async () => {
  const options = { locale: 'sv' }
  const { page, problems, transaction } = await openOwn(servicePage('jquery-1.12'), options, SLOW)
  await page.waitForSelector('#mondidopayform', { state: 'visible' })
  expect(await page.innerText('.amount')).toBe('10 sek')
  expect(await page.locator('.nav li:visible').allInnerTexts()).toEqual([
    'Kort',
    'Swish',
    'Faktura',
  ])
  expect(await page.getAttribute('[name=card_holder]', 'placeholder')).toBe('Förnamn Efternamn')
  await page.click('li.invoice_tab a')
  expect(await page.isVisible('#mondidopayform')).toBe(false)
  await page.fill('#email', 'kim@example.org')
  await page.fill('#phone', '0701234567')
  await page.fill('#ssn', '9006022397')
  await page.press('#ssn', 'Tab')
  await page.waitForFunction("document.getElementById('city').value === 'Exempelstad'")
  await page.click('li.credit_card_tab a')
  const typed = { card_holder: 'Kim', card_number: '4111111111111111', card_cvv: '200', expMM: '1' }
  for (const [field, value] of Object.entries(typed)) await page.fill(`[name=${field}]`, value)
  expect(await page.inputValue('[name=card_number]')).toBe('4111 1111 1111 1111')
  await page.click('#paybtn-cc')
  expect(await page.innerText('#errors')).toBe(
    'Alla fält måste fyllas i. Det som saknas är: Giltigt till',
  )
  await page.fill('[name=expYY]', '38')
  await page.click('#paybtn-cc')
  await page.waitForURL(`${code.url}/thanks?**`)
  expect(new URL(page.url()).searchParams.get('status')).toBe('approved')
  expect(problems.filter((problem) => !problem.includes('favicon.ico'))).toEqual([])
  expect(await troublesOf(transaction.id)).toEqual([])
})

test('a payment by another method opens its app from a form without an action attribute', async () => {
  const { page, transaction } = await openOwn(servicePage('jquery'), { locale: 'en' })
  await page.click('li.swish_tab a')
  await page.fill('[name=swish_number]', '46701234567')
  await page.click('#swishform [type=submit]')
  await page.click('button[value=approved]')
  await page.waitForURL(`${code.url}/thanks?**`)
  expect(new URL(page.url()).searchParams.get('transaction_id')).toBe(String(transaction.id))
})

const FORM = `<form id="mondidopayform" method="post">${FIELDS}<button>Pay</button></form>`
const page = (body: string) =>
  `<!doctype html><html><head><title>Own</title></head><body>${body}</body></html>`

/** Returns the reasons in a payment's log for failures of its page. */
async function troublesOf(id: number) {
  const { gateway } = checkout
  const { log_events } = (
    await clientAt(gateway.url, gateway.merchant).get(`/v1/transactions/${id}`)
  ).body
  return log_events.flatMap(({ data }) =>
    data.event === 'template_failed' ? [`${data.what}: ${data.reason}`] : [],
  )
}

const WAY_OUT = 'aside a'

describe('on a merchant’s own page, the payer gets a link to the built-in page', () => {
  const troubles: Readonly<Record<string, readonly [source: string, reason: RegExp]>> = {
    'a script throws': [
      page(`${FORM}<script>\nnoSuchThing.run()</script>`),
      /^page_script: .*noSuchThing.* \(the page, line \d+\)$/,
    ],
    'a handler throws': [
      page(`${FORM}<button id="x" onclick="noSuchThing()">x</button><script>x.click()</script>`),
      /^page_script: .*noSuchThing/,
    ],
    'one of its scripts cannot be loaded': [
      page(`${FORM}<script src="http://127.0.0.1:9/jquery.js"></script>`),
      /^page_script: .*http:\/\/127.0.0.1:9\/jquery.js could not be loaded$/,
    ],
    'its form stays invisible': [page(`<div style="display:none">${FORM}</div>`), /^page_form: /],
    'the whole page stays invisible': [
      page(FORM).replace('</head>', '<style>html,a,aside{display:none}</style></head>'),
      /^page_form: /,
    ],
    'it has only a hidden form': [
      '<form method="post" hidden><input name="card_number"></form>',
      /^page_form: /,
    ],
  }

  test.each(Object.entries(troubles))('when %s', async (_trouble, [source, reason]) => {
    // An invisible form is reported only after a wait.
    const { page: shown, transaction } = await openOwn(source, {}, QUICK)
    await shown.waitForSelector(WAY_OUT, { state: 'visible' })
    expect(await shown.innerText(WAY_OUT)).toBe('Pay on a simpler page')
    await expect.poll(() => troublesOf(transaction.id)).toEqual([expect.stringMatching(reason)])
  })

  test('in the language of the page, until the payment is made', async () => {
    const options = { locale: 'sv-SE' }
    const { page: shown, transaction } = await openOwn(
      page('<script>throw 1</script>'),
      options,
      SLOW,
    )
    await shown.click(WAY_OUT)
    await shown.waitForSelector('h1')
    expect(await shown.innerText('#mondidopayform button')).toContain('Betala')
    await shown.click('header a')
    const card = {
      card_number: '4111 1111 1111 1111',
      card_holder: 'Åsa Öberg',
      card_expiry: '12/38',
      card_cvv: '201',
    }
    await shown.evaluate(() => document.querySelector('form')?.setAttribute('novalidate', ''))
    for (const [name, value] of Object.entries({ ...card, card_number: '5' }))
      await shown.fill(`#${name}`, value)
    await shown.evaluate(() => document.querySelector<HTMLFormElement>('#mondidopayform')?.submit())
    await shown.waitForSelector('[role=alert]')
    expect(await shown.title()).toMatch(/^Error: /)
    for (const [name, value] of Object.entries({ ...card, card_cvv: '200' }))
      await shown.fill(`#${name}`, value)
    await shown.click('#mondidopayform button')
    await shown.waitForURL(`${code.url}/thanks?**`)
    expect(await troublesOf(transaction.id)).toHaveLength(1)
  })

  test('until its form becomes visible', async () => {
    const late = `<div id="late" style="display:none">${FORM}</div>`
    const { page: shown } = await openOwn(page(late), {}, QUICK)
    await shown.waitForSelector(WAY_OUT)
    await shown.evaluate("late.style.display = ''")
    await shown.waitForSelector(WAY_OUT, { state: 'detached' })
    expect(await shown.isVisible('#mondidopayform')).toBe(true)
  })

  test('but not if the page works: then it stays as its merchant wrote it', async () => {
    const {
      page: shown,
      problems,
      transaction,
    } = await openOwn(
      page(`<div id="late" style="display:none">${FORM}</div><a href="javascript:void choose()">x</a><p id="x"></p>
<script>setTimeout(() => late.style.display = '', 1000); function choose() { x.textContent = document.scripts.length }</script>`),
      {},
      QUICK,
    )
    await shown.click('a')
    // Firefox opens a javascript: address in a separate task.
    await expect.poll(() => shown.innerText('#x')).toBe('2')
    await shown.evaluate(() => new Promise((resolve) => setTimeout(resolve, 4_000)))
    expect(await shown.locator('aside').count()).toBe(0)
    expect(
      await shown.evaluate(() => [document.compatMode, document.head.firstElementChild?.tagName]),
    ).toEqual(['CSS1Compat', 'SCRIPT'])
    expect(await troublesOf(transaction.id)).toEqual([])
    expect(problems.filter((problem) => !problem.includes('favicon.ico'))).toEqual([])
  })
})

test('a report of a script error does not contain the typed values', async () => {
  const { page: shown, transaction } = await openOwn(
    page(`${FORM}<script>throw new Error('bad card 4111 1111 1111 1111, code 200')</script>`),
  )
  await shown.waitForSelector(WAY_OUT)
  await expect
    .poll(() => troublesOf(transaction.id))
    .toEqual([expect.stringContaining('bad card ***, code ***')])
})

test('a value that a template prints into the address of a script stays text', async () => {
  const { page: shown, problems } = await openOwn(
    page(
      `${FORM}<a href="javascript:choose('{{ "');document.title='run';//" }}')">x</a><script>function choose() {}</script>`,
    ),
  )
  await shown.click('a')
  expect(await shown.title()).toBe('Own')
  expect(problems.filter((problem) => !problem.includes('favicon.ico'))).toEqual([])
})
