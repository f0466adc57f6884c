import { expect, test } from 'vitest'
import { presentClientInfo } from '../../../mock-gateway/serializers/transaction.ts'

const present = (user_agent: string, accept_language = 'en') =>
  presentClientInfo({ user_agent, ip: '10.0.0.1', accept_language })

for (const [userAgent, browser, version, platform] of [
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
    'Firefox',
    '132.0',
    'Linux',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari',
    '17.5',
    'iOS',
  ],
  ['', '', '', null],
  ['<script>', '', '', null],
] as const)
  test(`the user agent "${userAgent.slice(0, 40)}" is recognised as ${browser || 'unknown'}`, () => {
    expect(present(userAgent)).toMatchObject({
      raw_user_agent: userAgent,
      browser,
      version,
      platform,
    })
  })

test('accept_language is null if the browser sends none', () => {
  expect(present('curl/8.5.0', '').accept_language).toBeNull()
  expect(present('curl/8.5.0', 'sv').accept_language).toBe('sv')
})

test('the same user agent always gives the same result', () => {
  expect(present('curl/8.5.0')).toEqual(present('curl/8.5.0'))
})

test('a user agent of 130,000 characters is parsed', () => {
  expect(present('Mozilla/5.0 ('.repeat(10_000))).toBeDefined()
})
