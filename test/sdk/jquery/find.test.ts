import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findJQuery } from '../../../sdk/jquery/find.ts'

const jQueryNamed = (version: string) => ({ fn: { jquery: version } })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a page whose loading state and global names the test controls. */
function openPage(globals: object = {}, readyState = 'loading') {
  const document = Object.assign(new EventTarget(), { readyState })
  const page = Object.assign(new EventTarget(), { document, ...globals })
  const found: unknown[] = []
  const failed: string[] = []
  findJQuery(
    page as never,
    (jq) => found.push(jq),
    ({ code }) => failed.push(code),
  )
  return {
    found,
    failed,
    set: (more: object) => Object.assign(page, more),
    load: () => document.dispatchEvent(new Event('load')),
    read() {
      document.readyState = 'interactive'
      document.dispatchEvent(new Event('DOMContentLoaded'))
    },
  }
}

test('a jQuery that is loaded already is found immediately', () => {
  const jQuery = jQueryNamed('4.0.0')
  expect(openPage({ jQuery })).toMatchObject({ found: [jQuery], failed: [] })
})

test('a jQuery that loads later is found, while the page is read or soon after', () => {
  for (const wait of [0, 9_000]) {
    const page = openPage()
    if (wait) page.read()
    vi.advanceTimersByTime(wait)
    page.set({ jQuery: jQueryNamed('3.7.1') })
    vi.advanceTimersByTime(50)
    expect(page.found).toHaveLength(1)
    page.read()
    vi.runAllTimers()
  }
})

test('a jQuery that replaces the first one is found too when the page is read', () => {
  const page = openPage({ jQuery: jQueryNamed('1.12.4') })
  page.set({ jQuery: jQueryNamed('4.0.0') })
  page.read()
  vi.runAllTimers()
  expect(page.found).toEqual([jQueryNamed('1.12.4'), jQueryNamed('4.0.0')])
})

test('a jQuery that a later script loads is found when that script has run', () => {
  const page = openPage({ jQuery: jQueryNamed('1.12.4') })
  page.read()
  vi.runAllTimers()
  page.set({ jQuery: jQueryNamed('4.0.0') })
  page.load()
  expect(page.found).toHaveLength(2)
})

test('ten seconds after the page was read the missing jQuery is reported once, and the search ends', () => {
  const page = openPage()
  vi.advanceTimersByTime(60_000)
  expect(page.failed).toEqual([])
  page.read()
  vi.advanceTimersByTime(9_900)
  expect(page.failed).toEqual([])
  vi.advanceTimersByTime(200)
  expect([page.failed, vi.getTimerCount()]).toEqual([['integration.no_jquery'], 0])
})

test.for<[string, object, string]>([
  ['Zepto', { Zepto: { fn: {} } }, 'integration.not_jquery'],
  ['another library named jQuery', { jQuery: () => undefined }, 'integration.not_jquery'],
  ['an old jQuery', { jQuery: jQueryNamed('1.8.3') }, 'integration.jquery_too_old'],
])('%s is reported immediately', ([, globals, code]) => {
  expect(openPage(globals, 'complete').failed).toEqual([code])
})
