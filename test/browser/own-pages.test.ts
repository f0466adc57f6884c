import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../helpers/browser.ts'
import { type Checkout, startCheckout } from '../helpers/checkout.ts'
import { encode, hashed, prepared } from '../helpers/gateway.ts'

const JQUERY = { '1.12': 'jquery-1.12', '2.2': 'jquery-2.2', '3': 'jquery-3', '4': 'jquery' } as const

/** What a page fetches later, as pages of old fetched their texts and checks. */
const PLUGIN = "$('#fetched').text('fetched'); $.fn.showPaying = function () { return this.show() }"

/** A merchant's host of scripts, on an origin of its own. */
async function startCodeHost() {
  const server = createServer(async ({ url = '/' }, response) => {
    const [, name = ''] = /^\/(jquery[\w.-]*)\.js/.exec(url) ?? []
    response.setHeader('Content-Type', 'text/javascript')
    response.setHeader('Access-Control-Allow-Origin', '*')
    response.end(
      name === '' ? PLUGIN : await readFile(new URL(`../../node_modules/${name}/dist/jquery.js`, import.meta.url)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close().closeAllConnections(),
  }
}

let checkout: Checkout
let browser: TestBrowser
let code: Awaited<ReturnType<typeof startCodeHost>>
beforeAll(async () => {
  checkout = await startCheckout()
  code = await startCodeHost()
  browser = await launchBrowser()
})
afterAll(async () => {
  code.close()
  await checkout.close()
})

const FIELDS = `<input name="card_holder"><input name="card_number"><input name="card_cvv">
<input name="expMM"><input name="expYY"><input type="hidden" name="card_expiry"><input type="hidden" name="card_type">`

/** A page as merchants wrote them in 2016: hidden until its scripts have run. */
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

/** A payment on a page that is kept as a template first. */
async function openOwn(source: string, options: Parameters<TestBrowser['open']>[0] = {}) {
  const { gateway } = checkout
  const headers = { 'x-control-key': gateway.control.key ?? '', 'content-type': 'application/x-www-form-urlencoded' }
  const kept = await fetch(`${gateway.url}/_control/templates`, { method: 'POST', headers, body: encode({ source }) })
  const { id: template_id } = (await kept.json()) as { id: number }
  const order = { ...prepared({ template_id, metadata: '{"a":"b"}' }), success_url: `${code.url}/thanks` }
  const { id, password } = gateway.merchant
  const made = await fetch(`${gateway.url}/v1/transactions`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${password}`)}`, 'content-type': headers['content-type'] },
    body: encode(hashed(order, gateway.merchant)),
  })
  const transaction = (await made.json()) as { id: number; href: string; payment_ref: string }
  const watched = await browser.open(options)
  await watched.page.goto(transaction.href)
  return { ...watched, transaction }
}

describe.each(Object.entries(JQUERY))('a merchant’s own page with jQuery %s', (version, name) => {
  test('runs its scripts and handlers, and is paid', async () => {
    const { page, problems, transaction } = await openOwn(oldPage(name))
    await page.waitForSelector('#mondidopayform', { state: 'visible' })
    expect(await page.innerText('#version')).toMatch(new RegExp(`^${version.replace('.', '\\.')}`))
    expect(await page.innerText('#loaded')).toBe('loaded')
    expect(await page.innerText('#fetched')).toBe('fetched')
    await page.click('#tab')
    expect(await page.innerText('#chosen b')).toBe(transaction.payment_ref)
    await page.click('#built a')
    expect(await page.innerText('#chosen b')).toBe('b')
    const typed = { card_holder: 'Kim', card_number: '4111 1111 1111 1111', card_cvv: '200', expMM: '12', expYY: '38' }
    for (const [field, value] of Object.entries(typed)) await page.fill(`[name=${field}]`, value)
    await page.click('#mondidopayform button')
    await page.waitForURL(`${code.url}/thanks?**`)
    expect(new URL(page.url()).searchParams.get('status')).toBe('approved')
    expect(problems.filter((problem) => !problem.includes('favicon.ico'))).toEqual([])
  })
})
