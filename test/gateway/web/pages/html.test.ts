import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html, trustHtml } from '../../../../mock-gateway/web/pages/html.ts'
import { createQrCode, renderQrPicture } from '../../../../mock-gateway/web/pages/qr.ts'

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

test('an address that is too long for a camera gets no QR code', () => {
  expect(createQrCode('x'.repeat(501))).toBeUndefined()
  expect(renderQrPicture('x'.repeat(501), 'QR code', 100)).toBeNull()
})

test('a QR code has its three corners and a white border', () => {
  const { size, path } = createQrCode('http://localhost:4400/pay/abcdefgh2345') ?? {
    size: 0,
    path: '',
  }
  expect(size).toBe(37)
  const isDark = (x: number, y: number) => path.includes(`M${x} ${y}h1`)
  for (const [x, y] of [
    [4, 4],
    [size - 11, 4],
    [4, size - 11],
  ] as const)
    expect([isDark(x - 1, y), isDark(x, y), isDark(x + 1, y + 1), isDark(x + 3, y + 3)]).toEqual([
      false,
      true,
      false,
      true,
    ])
  // This module is always dark (ISO/IEC 18004, 7.9.1). In a mirrored code it would be at another
  // place.
  expect(isDark(12, size - 12)).toBe(true)
})
