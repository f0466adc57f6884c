import { expect, test } from 'vitest'
import {
  formatNonceSource,
  SELF,
  writeContentSecurityPolicy,
} from '../../../../mock-gateway/web/pages/policy.ts'

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
