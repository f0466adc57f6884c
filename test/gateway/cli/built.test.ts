import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Program, startProgram } from '../../helpers/program.ts'

// Starting a process takes its time on a busy machine.
vi.setConfig({ hookTimeout: 20_000 })

const BUILT = 'dist/cli.js'

let program: Program
let origin: string
beforeAll(async () => {
  if (!existsSync(BUILT)) throw new Error(`There is no ${BUILT}: run npm run build`)
  program = startProgram(BUILT, ['--port', '0', '--memory'])
  const line = await program.printed(/REST API/)
  origin = new URL(/REST API +(\S+)/.exec(line)?.[1] ?? '').origin
})
afterAll(() => program.stop())

test.each([
  ['/v1/form/nobody', 404, 'Det gick inte'],
  ['/docs', 200, 'Payment gateway'],
])('the built command shows %s with its style', async (path, status, heading) => {
  const page = await fetch(origin + path)
  const html = await page.text()
  expect(page.status).toBe(status)
  expect(html).toContain(`<h1>${heading}</h1>`)
  const style = await fetch(origin + (/<link rel="stylesheet" href="([^"]+)">/.exec(html)?.[1] ?? ''))
  expect(style.status).toBe(200)
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(await style.text()).toContain('color-scheme: light dark')
})
