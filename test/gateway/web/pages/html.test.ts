import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html, trustHtml } from '../../../../mock-gateway/web/pages/html.ts'

const MARKUP = `<img src=x onerror=alert(1)>"'&`
const ESCAPED = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;'

test('a text in a template is escaped, alone, in a list and in an attribute', () => {
  expect(String(html`<p title="${MARKUP}">${MARKUP}${[MARKUP, [MARKUP]]}</p>`)).toBe(
    `<p title="${ESCAPED}">${ESCAPED}${ESCAPED}${ESCAPED}</p>`,
  )
})

test('HTML of a template stays unchanged in another template, at any depth', () => {
  const item = (text: string) => html`<li>${text}</li>`
  expect(String(html`<ul>${['a', '<b>'].map(item)}</ul>`)).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>',
  )
  expect(String(html`<div>${trustHtml('<b>ready</b>')}</div>`)).toBe('<div><b>ready</b></div>')
})

test('a missing value prints nothing, and zero prints 0', () => {
  expect(String(html`[${null}${undefined}${''}${0}]`)).toBe('[0]')
})

test('a text cannot open an element or end an attribute', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(String(html`${text}`)).not.toMatch(/[<>"']/)
    }),
  )
})
