/**
 * Tests of the shops in docs/how-to/connect-a-shop.md, with other ports, if their language is
 * installed.
 */

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../../helpers/documents.ts'
import { isHere, programEnv, startProgram } from '../../helpers/program.ts'
import { runInMemory } from '../../helpers/running.ts'
import { share, sharedFolder } from '../../helpers/shared.ts'
import { freePort } from '../../setup/free-port.ts'

const folder = await sharedFolder()
const shop = `localhost:${await freePort()}`
const gateway = await share(runInMemory())

/** Returns the file name in the first line of a program. */
const nameOf = (code: string): string => /^.*?(\w+\.\w+)$/m.exec(code)?.[1] ?? ''

const atOurPorts = (code: string) =>
  code
    .replaceAll('localhost:8000', shop)
    .replaceAll('localhost:4400', new URL(gateway.url).host)
    .replace("'localhost', 4400", `'localhost', ${new URL(gateway.url).port}`)

const pages = blocksOf('docs/how-to/connect-a-shop.md').filter(({ language }) =>
  ['php', 'ruby', 'python'].includes(language),
)
for (const { code } of pages) await writeFile(join(folder, nameOf(code)), atOurPorts(code))

const CARD = {
  card_number: '4111111111111111',
  card_holder: 'Kim',
  card_expiry: '1230',
  card_cvv: '200',
}

/**
 * Pays on a payment page.
 * @returns the address that the payer is redirected to
 */
async function payAt(href: string): Promise<string> {
  const paid = await fetch(href, {
    method: 'POST',
    body: new URLSearchParams(CARD),
    redirect: 'manual',
  })
  return paid.headers.get('location') ?? ''
}

// PHP's extension for curl is a package of its own.
if (isHere('php', '-r', 'curl_init();'))
  describe('PHP', () => {
    beforeAll(async () => {
      const server = startProgram('-S', [shop, '-t', folder], {}, 'php')
      await server.printed(/started/)
      return () => server.stop()
    })

    test('leads a payer to the payment page and back, and receives the webhook', async () => {
      const led = await fetch(`http://${shop}/`, { redirect: 'manual' })
      const back = await payAt(led.headers.get('location') ?? '')
      expect(await (await fetch(back)).text()).toBe('The payment is approved')
      const headers = { authorization: `Basic ${btoa('1:custom00')}` }
      const told = async () =>
        (await (await fetch(`${gateway.url}/v1/webhooks/1`, { headers })).json()).response
      await expect.poll(told).toMatchObject({ code: 200 })
    })
  })

/**
 * Languages of the check in docs/how-to/refuse-the-mock.md, each with its program and the option
 * for code.
 */
const CHECKS: readonly (readonly [language: string, program: string, option: string])[] = [
  ['php', 'php', '-r'],
  ['ruby', 'ruby', '-e'],
  ['python', 'python3', '-c'],
]

test.each(CHECKS.filter(([, program]) => isHere(program)))(
  'the check in %s stops a production shop that has the address of the mock, and no other shop',
  async (language, program, option) => {
    const code =
      blocksOf('docs/how-to/refuse-the-mock.md').find((block) => block.language === language)
        ?.code ?? ''
    const start = (environment: string) => {
      const env = {
        ...programEnv(),
        PAYMENT_URL: gateway.url,
        APP_ENV: environment,
        RACK_ENV: environment,
      }
      return promisify(execFile)(program, [option, code], { env })
    }
    await expect(start('production')).rejects.toThrow('PAYMENT_URL is the address of a mock')
    await start('development')
  },
)
