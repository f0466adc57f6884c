import express, { type Response } from 'express'
import { describe, expect, test } from 'vitest'
import { answerInProcess } from '../../../../mock-gateway/web/http/in-process.ts'
import { sendHtml } from '../../../../mock-gateway/web/pages/page.ts'
import { formatNonceSource } from '../../../../mock-gateway/web/pages/policy.ts'

/** Returns the answer of an app that sends its only page with this function. */
function answerOf(send: (response: Response) => unknown) {
  const app = express().get('/', (_request, response) => void send(response))
  return answerInProcess(app)(new Request('http://localhost/'))
}

describe('a page', () => {
  test('a page uses only our styles, is not cached, and is not allowed in frames by default', async () => {
    const { headers } = await answerOf((response) => sendHtml(response, '<p>'))
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store, private')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
  })

  test('a page that an origin can frame has a policy for that, with nonces for scripts too', async () => {
    const policy = {
      'script-src': [formatNonceSource('YWJj')],
      'frame-ancestors': ['https://shop.example'],
    }
    const { headers } = await answerOf((response) => sendHtml(response, '<p>', { policy }))
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'nonce-YWJj'; base-uri 'none'; form-action 'none'; frame-ancestors https://shop.example; require-trusted-types-for 'script'",
    )
  })

  test('a page can add its own headers', async () => {
    const headers = { 'X-Robots-Tag': 'noindex' }
    const answer = await answerOf((response) => sendHtml(response, '<p>', { headers }))
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(await answer.text()).toBe('<p>')
  })
})
