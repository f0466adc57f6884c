/// <reference types="jquery" />
/**
 * Tests of the library's messages for shop developers on the console of a browser. The page loads
 * the library from a real gateway.
 */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createGateway } from '../../mock-gateway/gateway.ts'
import { launchBrowser } from '../helpers/browser.ts'
import { share } from '../helpers/shared.ts'

const JQUERY = readFileSync(
  fileURLToPath(new URL('../../node_modules/jquery/dist/jquery.min.js', import.meta.url)),
)

const GATEWAY = 'https://gateway.example'
const CALL = "jQuery('#pay').mondido()"

const gateway = await share(
  createGateway({ addresses: { base: GATEWAY, pay: GATEWAY, cdn: GATEWAY } }),
)
const browser = await launchBrowser()

/**
 * Opens a page of a shop on a host, and returns the console messages of the library.
 * @param later milliseconds that pass on the page
 */
async function visit(html: string, { host = 'shop.localhost', policy = '', later = 0 } = {}) {
  const { page, problems } = await browser.open()
  const said: string[] = []
  page.on('console', (message) => {
    if (message.text().startsWith('mondido.js')) said.push(message.text())
  })
  await page.route(`https://${host}/**`, (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({
          contentType: 'text/javascript',
          body: JQUERY + (route.request().url().endsWith('-and-call.js') ? `\n${CALL}` : ''),
        })
      : route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><title>Shop</title>${html}`,
          headers: policy ? { 'content-security-policy': policy } : {},
        }),
  )
  await page.context().route(`${GATEWAY}/**`, async (route) => {
    const request = route.request()
    const body = request.postData()
    const init = {
      method: request.method(),
      headers: { ...request.headers(), 'accept-encoding': 'identity' },
      ...(body !== null && { body }),
    }
    const answer = await gateway.handle(new Request(request.url(), init))
    const headers = Object.fromEntries(answer.headers)
    await route.fulfill({
      status: answer.status,
      headers,
      body: Buffer.from(await answer.arrayBuffer()),
    })
  })
  if (later) await page.clock.install()
  await page.goto(`https://${host}/`)
  if (later) await page.clock.runFor(later)

  return { page, said, problems }
}

const LIBRARY = `<script src="${GATEWAY}/v2/mondido.js?merchant_id=1"></script>`
const SCRIPTS = `<script src="/jquery.js"></script>${LIBRARY}`

describe('a form without an encrypted field', () => {
  const FORM = '<form id="pay"><input name="test" value="true"></form>'
  const CODE = 'form.no_encrypted_fields'
  const pay = async ({ page }: Awaited<ReturnType<typeof visit>>) =>
    page.evaluate(() => void Object(jQuery('#pay')).mondido().mondido('submit'))
  const link = `${GATEWAY}/docs#library-${CODE}`
  const explained = () =>
    expect.stringMatching(
      new RegExp(`^mondido\\.js: ${CODE}: No input .* data-encrypt-attribute=.* ${link}$`),
    )
  const inShort = () => `mondido.js: ${CODE} ${link}`

  test.each<[string, string]>([
    ['no policy', ''],
    [
      'the strictest policy that the library runs under',
      "default-src 'none'; script-src https://shop.localhost CDN",
    ],
    [
      'one with trusted types',
      "script-src https://shop.localhost CDN; require-trusted-types-for 'script'; trusted-types 'none'",
    ],
    ['one of nonces alone', "script-src 'nonce-abc'"],
    ['one of nonces that trusts what they load', "script-src 'nonce-abc' 'strict-dynamic'"],
  ])('is explained under %s', async (_what, policy) => {
    const html = FORM + SCRIPTS.replaceAll('<script', '<script nonce="abc"')
    const visited = await visit(html, { policy: policy.replace('CDN', GATEWAY) })
    await pay(visited)
    await expect.poll(() => visited.said).toContainEqual(explained())
    // Firefox also reports that the policy forbids loading the page's icon.
    const told = visited.problems.filter((text) => !text.includes('/favicon.ico'))
    expect(told.filter((text) => /Content.Security|TrustedType/i.test(text))).toEqual([])
  })

  test('is reported with its code and a link if the explanations cannot be loaded', async () => {
    const visited = await visit(FORM + SCRIPTS, {
      policy: `script-src https://shop.localhost ${GATEWAY}/v2/mondido.js`,
    })
    await pay(visited)
    await expect.poll(() => visited.said).toContainEqual(inShort())
  })

  test('is reported in a live payment too, without loading anything else', async () => {
    const host = 'shop.example'
    const visited = await visit(FORM.replace('true', 'false') + SCRIPTS, { host })
    await pay(visited)
    await expect.poll(() => visited.said).toEqual([inShort()])
    const loaded = await visited.page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    expect(loaded.filter((name) => name.includes('advice'))).toEqual([])
  })

  test.each(['mondido.esm.js', 'umd/mondido.js'])(
    'is explained to a page that loads %s of the package',
    async (file) => {
      const visited = await visit(`${FORM}<script src="/jquery.js"></script>`)
      await visited.page.route('**/package/**', (route) => {
        const path = new URL(route.request().url()).pathname.replace('/package', '../../sdk/dist')
        return route.fulfill({
          contentType: 'text/javascript',
          body: readFileSync(new URL(path, import.meta.url)),
        })
      })
      const code = file.includes('umd')
        ? "await import('/package/umd/mondido.js')"
        : "(await import('/package/mondido.esm.js')).install(jQuery)"
      await visited.page.addScriptTag({
        type: 'module',
        content: `${code}; jQuery('#pay').mondido()`,
      })
      await visited.page.waitForFunction(() => 'mondido' in jQuery)
      await pay(visited)
      await expect.poll(() => visited.said.join()).toMatch(`${CODE}: No input`)
    },
  )
})

test.each(['auto', 'iframe'])(
  'after a wrong hash, the console shows the text to hash with default options and mpi: %s',
  async (mpi) => {
    const fields = {
      amount: '10.00',
      currency: 'sek',
      payment_ref: 'A1',
      test: 'true',
      card_holder: 'Kim',
      hash: 'wrong',
    }
    const card = { card_number: '4111111111111111', card_cvv: '200', card_expiry: '1230' }
    const { page, said } = await visit(
      `<form id="pay">${Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`)}
    ${Object.entries(card).map(([name, value]) => `<input data-encrypt-attribute="${name}" value="${value}">`)}
    <button>Pay</button></form>${SCRIPTS}`,
    )
    await page.evaluate(
      (given) => void Object(jQuery('#pay')).mondido({ type: 'ajax', ...given }),
      { mpi },
    )
    await page.click('button')
    const told =
      /api\.refused: The gateway returned an error: errors\.hash\.invalid\. hash must be the MD5 of "1A110\.00sektest\*\*\*"/
    await expect.poll(() => said).toContainEqual(expect.stringMatching(told))
  },
)

describe('scripts in a wrong order, or wrong scripts, are reported with their fix:', () => {
  const JQ = '<script src="/jquery.js"></script>'
  const THEN_CALL = `<script>${CALL}</script>`
  // One script, so that the library cannot install itself between jQuery and the call.
  const JQ_AND_CALL = '<script src="/jquery-and-call.js"></script>'
  const FORM = '<form id="pay"><input name="test" value="true"></form>'

  test.each<[mistake: string, code: string, says: string, html: string]>([
    ['jQuery after the library', 'integration.late', 'before mondido.js', LIBRARY + JQ_AND_CALL],
    ['no jQuery', 'integration.no_jquery', 'Load jQuery before', LIBRARY],
    [
      'the wrong id',
      'page.empty_set',
      'Forms of this page: #pay.',
      JQ + LIBRARY + THEN_CALL.replace('#pay', '#payment'),
    ],
    [
      'no such merchant',
      'page.no_merchant',
      'Check merchant_id',
      JQ + LIBRARY.replace('=1', '=99'),
    ],
  ])('%s', async (mistake, code, says, html) => {
    const { page, said } = await visit(FORM + html, {
      later: mistake === 'no jQuery' ? 11_000 : 0,
    })
    await expect.poll(() => said.join('\n')).toContain(says)
    const [, link = ''] = /(https:\S+)$/.exec(said.find((text) => text.includes(says)) ?? '') ?? []
    expect(link).toBe(`${GATEWAY}/docs#library-${code}`)
    await page.goto(link)
    // The address in the message redirects to the page of the table.
    await page.waitForURL(`${GATEWAY}/docs/reference/library-messages#library-${code}`)
    expect(await page.locator(`[id="library-${code}"]`).count()).toBe(1)
  })
})
