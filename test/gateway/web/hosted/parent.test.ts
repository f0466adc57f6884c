import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { buildScriptFromSource } from '../../../../mock-gateway/web/pages/script-from-source.ts'
import { inRepository } from '../../../helpers/documents.ts'

const SCRIPT = await buildScriptFromSource(
  inRepository('mock-gateway/web/hosted/scripts/page/parent.ts'),
)
const SHOP = 'https://shop.example'

/**
 * Runs the page with this height in a frame of the shop. Returns its messages and their target
 * origins.
 */
function framed(height: number) {
  const said: (readonly [message: unknown, to: string])[] = []
  const parent = { postMessage: (message: unknown, to: string) => void said.push([message, to]) }
  const timers: (() => void)[] = []
  let listener: (event: object) => void = () => {}
  const page: Record<string, unknown> = {
    parent,
    location: { ancestorOrigins: [SHOP] },
    document: { documentElement: { getBoundingClientRect: () => ({ height }), scrollWidth: 600 } },
    addEventListener: (_name: string, listens: typeof listener) => {
      listener = listens
    },
    setTimeout: (run: () => void) => void timers.push(run),
    ResizeObserver: class {
      observe() {}
    },
  }
  page.window = page
  runInContext(SCRIPT.replace(/\}\)\(\)\s*$/, 'speakToParent()\n})()'), createContext(page))
  return {
    said,
    hear: (data: unknown, over = {}) => listener({ data, source: parent, origin: SHOP, ...over }),
    wait: () => {
      for (const run of timers.splice(0)) run()
    },
  }
}

test('attack 42 (postmessage-leak): the page reports only sizes to its parent, as numbers', () => {
  const { said, hear } = framed(300)
  hear('[iFrameSizer]frame:8:false')
  hear('[iFrameSizer]size:1')
  hear('[iFrameSizer]resize')
  expect(new Set(said.map(([, to]) => to))).toEqual(new Set([SHOP]))
  expect(said.map(([message]) => message)).toEqual([
    '[iFrameResizerChild]Ready',
    { msg: 'resize', height: '300px' },
    { msg: 'resize', height: '300px' },
    '[iFrameSizer]frame:300:600:init',
    { msg: 'resize', height: '300px' },
    '[iFrameSizer]frame:300:600:resize',
  ])
})

test('the page reports its height repeatedly for a while, for a shop that listens late', () => {
  const { said, wait } = framed(300)
  const before = said.length
  wait()
  const again = said.slice(before)
  expect(again.length).toBeGreaterThan(5)
  for (const each of again) expect(each).toEqual([{ msg: 'resize', height: '300px' }, SHOP])
})

test('attack 44 (postmessage-flood): 100,000 foreign messages get no answer, and heights stay within limits', () => {
  const { said, hear } = framed(Number.MAX_SAFE_INTEGER)
  const before = said.length
  const strangers = [
    ['[iFrameSizer]frame:8', { source: {} }],
    ['[iFrameSizer]<b>:8', {}],
    [`[iFrameSizer]${'x'.repeat(101)}`, {}],
    [{ msg: 'resize', height: Number.NaN }, {}],
    [-1, {}],
  ] as const
  for (let times = 0; times < 20_000; times++)
    for (const [data, over] of strangers) hear(data, over)
  expect(said.slice(before)).toEqual([])
  expect(said).toContainEqual([{ msg: 'resize', height: '20000px' }, SHOP])
})
