import { readFileSync } from 'node:fs'
import type { Response } from 'express'
import express from 'express'
import { describe, expect, test } from 'vitest'
import { answerInProcess } from '../../../../mock-gateway/web/http/in-process.ts'
import { sendHtml } from '../../../../mock-gateway/web/pages/page.ts'
import {
  formatNonceSource,
  SELF,
  writeContentSecurityPolicy,
} from '../../../../mock-gateway/web/pages/policy.ts'
import { inRepository } from '../../../helpers/documents.ts'
import { sourcesLike } from '../../../helpers/sources.ts'

test('a policy allows nothing by default, including directives without a default', () => {
  expect(writeContentSecurityPolicy({})).toBe(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
})

test.each([
  ['own styles', { 'style-src': [SELF] }, "style-src 'self'"],
  [
    'scripts with a nonce',
    { 'script-src': [formatNonceSource('YWJj')] },
    "script-src 'nonce-YWJj'",
  ],
  [
    'a form to two origins, each once',
    { 'form-action': [SELF, 'https://a.example', SELF] },
    "form-action 'self' https://a.example",
  ],
  [
    'a frame of the merchant',
    { 'frame-ancestors': ['https://a.example:8443'] },
    'frame-ancestors https://a.example:8443',
  ],
  ['a sandbox', { sandbox: true }, 'sandbox'],
  ['nothing where the list is empty', { 'img-src': [] }, "img-src 'none'"],
  [
    'no directive smuggled in by a host',
    { 'form-action': [SELF, new URL('https://a;script-src').origin] },
    "form-action 'self'",
  ],
  [
    'no second policy smuggled in by a host',
    { 'form-action': [new URL('https://a,b').origin] },
    "form-action 'none'",
  ],
])('a policy names %s', (_what, allowed, directive) => {
  const policy = writeContentSecurityPolicy(allowed).split('; ')
  expect(policy).toContain(directive)
  expect(new Set(policy.map((each) => each.split(' ')[0])).size).toBe(policy.length)
})

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

test('attack 57 (tabnabbing): no page opens a window that could navigate the page', () => {
  const views = sourcesLike('mock-gateway/**/*.ts')
  expect(views.length).toBeGreaterThan(500)
  // A window that was opened with rel=noopener cannot navigate the page. target="_top" opens no
  // window: it only leaves a frame.
  const textOf = (path: string) =>
    readFileSync(inRepository(path), 'utf8').replaceAll(
      /target="_blank" rel="noopener"|target="_top"/g,
      '',
    )
  const opening = views.filter((path) => /\btarget=|<base\b|window\.open\(/.test(textOf(path)))
  expect(opening).toEqual([])
})
