/** Tests of the home page `/`, which shows the running services and the first steps. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { runGateway } from '../../../../mock-gateway/cli.ts'
import { checkAnswer, readAnswer } from '../../../helpers/contract.ts'
import { isHere, programEnv } from '../../../helpers/program.ts'
import { share, sharedFolder } from '../../../helpers/shared.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'
import { textOf } from '../console/client.ts'

let printed = ''

const folder = await sharedFolder()
const gateway = await share(
  runGateway(['--memory', '--port', '0'], { LOG_LEVEL: 'silent' }, (line) => {
    printed += line
  }),
)

/** Opens the home page like a browser that uses this host name for the gateway. */
async function home(
  headers: Readonly<Record<string, string>> = { accept: 'text/html' },
  path = '/',
) {
  const asked = request(gateway.url + path, { headers, agent: false }).end()
  const [answer] = await once(asked, 'response')
  const { statusCode: status = 0, headers: said } = answer
  const html = await text(answer)
  const flat = new Headers(said as Record<string, string>)
  checkAnswer('GET', path, status, flat, readAnswer(flat, html))
  return { status, headers: said, html }
}

const plain = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe('the home page', () => {
  test('shows the running services, with the requested address', async () => {
    const host = `127.0.0.1:${new URL(gateway.url).port}`
    const { status, html } = await home({ accept: 'text/html,*/*', host })
    expect(status).toBe(200)
    const words = textOf(html)
    for (const part of [
      `Address http://${host} API /v1`,
      'Merchant 1',
      'Password custom00',
      'Secret sandbox-secret',
    ])
      expect(words).toContain(part)
    // The copy button copies the whole address.
    expect(html).toContain(`data-copy="http://${host}/v1"`)
    expect(words).toMatch(/Data SQLite, in memory: gone when it stops Version \d/)
    expect(html).not.toContain(gateway.url)
  })

  test('shows what is switched on, and switches everything off with one button', async () => {
    const control = (path: string, body: object) =>
      fetch(`${gateway.url}/_control${path}`, {
        method: 'POST',
        headers: { 'x-control-key': gateway.control.key ?? '', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    expect((await home()).html).not.toContain('Back to normal')
    await control('/faults', { kind: 'drop', path: '/v1/none' })
    await control('/payments/next', { outcome: 'errors.card.expired', merchant_id: 1 })
    await control('/webhooks/hold', { merchant_id: 1 })
    await control('/clock/freeze', {})
    await control('/clock/freeze', { merchant_id: 1 })
    const words = textOf((await home()).html)
    expect(words).toContain(
      'Switched on: clock frozen, 1 forced result, 1 fault, webhooks held, 1 moved merchant clock.',
    )
    expect(words).toMatch(/Clock frozen .* Back to normal/)
    const press = (origin: string) =>
      fetch(`${gateway.url}/normal`, { method: 'POST', headers: { origin }, redirect: 'manual' })
    expect((await press('https://shop.example')).status).toBe(403)
    expect(textOf((await home()).html)).toContain('Switched on')
    const { status, headers } = await press(gateway.url)
    expect([status, headers.get('location')]).toEqual([303, '/'])
    expect(textOf((await home()).html)).not.toMatch(/Switched on|frozen|Back to normal/)
  })

  test.each(['*/*', 'application/json', 'text/plain'])(
    'redirects a client that requests %s to the documentation',
    async (accept) => {
      const { status, headers } = await home({ accept })
      expect([status, headers.location]).toEqual([302, `${gateway.url}/docs`])
    },
  )

  test('shows the number and the status of a payment in its query, and no other text', async () => {
    const shown = async (query: string) => textOf((await home(undefined, `/?${query}`)).html)
    expect(await shown('transaction_id=17&status=approved')).toContain('Payment 17 is approved .')
    const failed = 'transaction_id=17&status=failed&error_name=errors.card.expired'
    expect(await shown(failed)).toContain('Payment 17 is failed : Card has expired.')
    expect((await home(undefined, `/?${failed}`)).html).toContain(
      '<div class="callout bad"><p role="status">',
    )
    for (const query of [
      'transaction_id=%3Cb%3E&status=approved',
      'transaction_id=1&status=%3Cb%3E',
      'status[]=x',
    ])
      expect(await shown(query)).not.toMatch(/Payment \S+ is/)
  })

  test('the command prints the address of the home page, and the key for the console', () => {
    expect(printed).toContain(`Open ${gateway.url}/ and press Pay\n`)
    expect(printed).toContain(
      `${gateway.url}/console  as 1 with custom00, or as admin with the control key\n`,
    )
  })
})

/**
 * Programs that run the samples of each language. The required programs must exist; other samples
 * run if their program is installed.
 */
const PROGRAMS: Readonly<Record<string, readonly [program: string, file: string]>> = {
  curl: ['sh', 'pay.sh'],
  JavaScript: [process.execPath, 'pay.mjs'],
  PHP: ['php', 'pay.php'],
  Ruby: ['ruby', 'pay.rb'],
  Python: ['python3', 'pay.py'],
}

describe('the code sample in', () => {
  test.each(
    Object.entries(PROGRAMS).filter(([, [program]]) => program === 'sh' || isHere(program)),
  )('%s pays', async (language, [program, file]) => {
    const { html } = await home()
    const [, code = ''] =
      new RegExp(`<summary>${language} .*?<pre[^>]*>([^<]*)</pre>`, 's').exec(html) ?? []
    const run = async (text: string) => {
      await writeFile(join(folder, file), text)
      return (await promisify(execFile)(program, [join(folder, file)], { env: programEnv() }))
        .stdout
    }
    const stdout = await run(plain(code))
    const [json = '{}'] = /\{"id".*\}/.exec(stdout) ?? []
    const paid = JSON.parse(json)
    expect(paid).toMatchObject({ status: 'approved', amount: '10.00' })
    expect(paid.payment_ref.length).toBeLessThanOrEqual(12)
    const rejected = await run(plain(code).replace('sandbox-secret', 'wrong'))
    expect(rejected).toContain('"code":107')
    if (language !== 'curl') expect(rejected).toContain('hash must be the MD5 of')
  })

  test('C# calculates the same hash as the gateway', async () => {
    const code = plain((await home()).html)
    expect(code).toContain('$"1{paymentRef}10.00sektestsandbox-secret"')
  })
})

const shop = await sharedGateway()

test.each([{ accept: '*/*' }, { accept: 'application/json' }, {}])(
  'a program gets the JSON error: %o',
  async (headers) => {
    const { status, body } = await shop.browser.get('/nothing/here', {}, headers)
    expect(status).toBe(404)
    expect(body).toEqual({
      name: 'errors.not_found',
      code: 196,
      description: 'Det finns ingenting på den här adressen',
    })
  },
)
