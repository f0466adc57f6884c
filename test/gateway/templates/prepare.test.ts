import { expect, test } from 'vitest'
import { prepare } from '../../../mock-gateway/templates/prepare.ts'
import { shown } from './rendered.ts'

const ABOUT = 'window.Mondido = {{ mondido | json | _write: "value" }}'
const NONCE = 'nonce="{{ csp_nonce | _write: "text" }}"'

const preparedPage = async (source: string) => (await prepare(source, 'page')).prepared

test('the merchant’s own scripts and styles get the nonce of the answer', async () => {
  expect(
    await preparedPage(
      '<head><link rel=stylesheet href=a.css><style>p{}</style></head><script src=a.js></script>',
    ),
  ).toBe(
    `<head><script ${NONCE}>${ABOUT}</script><link ${NONCE} rel=stylesheet href=a.css><style ${NONCE}>p{}</style></head><script ${NONCE} src=a.js></script>`,
  )
})

test('scripts of a page without a head get the payment data, too', async () => {
  expect(await preparedPage('<p><script>a</script>')).toBe(
    `<p><script ${NONCE}>${ABOUT}</script><script ${NONCE}>a</script>`,
  )
})

for (const source of [
  '<p>a',
  '<header>a</header>',
  '<!-- <script></script> -->',
  '<textarea><script></textarea>',
  '{% raw %}<script>{% endraw %}',
  '<p title="<script>">',
])
  test(`${source} stays unchanged`, async () => expect(await preparedPage(source)).toBe(source))

test('a script’s own text stays unchanged', async () => {
  expect(await preparedPage('<script>document.write("<script>x<\\/script>")</script>')).toContain(
    'document.write("<script>x',
  )
})

for (const [source, prepared] of [
  [
    '<form id="a" method="post">',
    '<form action="{{ transaction.href | _write: "url" }}" id="a" method="post">',
  ],
  ['<form method=POST>', '<form action="{{ transaction.href | _write: "url" }}" method=POST>'],
  ['<form method="post" action="/x">', '<form method="post" action="/x">'],
  ['<form>', '<form>'],
] as const)
  test(`${source} becomes ${prepared}`, async () =>
    expect(await preparedPage(source)).toBe(prepared))

test('attack 19 (metadata-html): a printed value gets no nonce, and cannot print it', async () => {
  const value = '<script>alert(1)</script>{{ csp_nonce }}'
  const page = await shown(
    '<p>{{ value }}</p>{{ value }}<b nonce="{{ value }}">',
    { value, csp_nonce: 'secret' },
    { kind: 'page' },
  )
  expect(page).not.toMatch(/<script|secret/)
})
