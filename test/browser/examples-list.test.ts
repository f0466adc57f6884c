import { expect, test } from 'vitest'
import { launchBrowser } from '../helpers/browser.ts'
import { startProgram } from '../helpers/program.ts'
import { freePort } from '../setup/free-port.ts'
import { expectToFit } from './fit.ts'

test('the list of npm start links to the shops, fits 320 pixels, and calls no other server', async () => {
  const port = await freePort()
  const program = startProgram('examples/start.ts', ['--memory', '--port', '0'], {
    SHOP_PORT: String(port),
  })
  const browser = await launchBrowser()
  try {
    await program.printed(/^Open/)
    const { page, requests, problems } = await browser.open({
      viewport: { width: 320, height: 640 },
      locale: 'sv-SE',
    })
    await page.goto(`http://localhost:${port}`)
    expect(await page.innerText('h1')).toBe('Exempel')
    await page.click('text=English')
    await page.waitForURL('**/?lang=en')
    await expectToFit(page, 'list-320')
    await page.click('text=hosted-redirect')
    expect(await page.innerText('button')).toMatch(/^Pay SEK/)
    expect(requests.filter(({ url }) => new URL(url).hostname !== 'localhost')).toEqual([])
    expect(problems).toEqual([])
  } finally {
    await program.stop()
  }
})
