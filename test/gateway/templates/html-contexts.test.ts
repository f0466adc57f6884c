import { describe, expect, test } from 'vitest'
import { previewed, shown } from './rendered.ts'

/**
 * Values that try to leave each context of HTML: they end tags, quotes, scripts, comments and
 * addresses (attacks 19 to 22 and 24).
 */
const ATTACKS = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '\u2028alert(1)',
  '\\',
  '\'+alert(1)+"',
  '`$\u007balert(1)}`',
  `" autofocus onfocus=alert(1) x="`,
  "' autofocus onfocus=alert(1) x='",
  ' onfocus=alert(1) ',
  'javascript:alert(1)',
  ' java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '--><img src=x onerror=alert(1)>',
  '{{ secret }}{% raw %}',
  'red;background:url(https://evil.example)',
  'https://evil.example/x.js',
]

describe('a printed value cannot leave its place in the HTML', () => {
  for (const [place, before, after, harmless] of [
    ['text', '<p>', '</p>', /^[^<>"'`]*$/],
    ['a comment', '<!-- ', ' -->', /^[^<>"'`]*$/],
    ['a title', '<title>', '</title>', /^[^<>"'`]*$/],
    ['double quotes', '<p title="', '">', /^[^<>"'`]*$/],
    ['single quotes', "<p title='", "'>", /^[^<>"'`]*$/],
    ['no quotes', '<p title=', '>', /^[^<>"'`\s=()]*$/],
    ['the address of a link', '<a href="', '">', /^(?!\s*(?:java|data|vb))[^<>"'`\s()]*$/],
    ['the address of a form', '<form action=', '>', /^(?!\s*(?:java|data|vb))[^<>"'`\s()]*$/],
    ['the address of a script', '<script src="', '"></script>', /^$/],
    ['an address behind a beginning of one', '<script src="https:', '"></script>', /^$/],
    ['single quotes of a script', "<script>a = '", "'</script>", /^[\p{L}\p{N}_ \\]*$/u],
    ['double quotes of a script', '<script>a = "b: ', '"</script>', /^[\p{L}\p{N}_ \\]*$/u],
    ['a template literal', '<script>a = `', '`</script>', /^[\p{L}\p{N}_ \\]*$/u],
    ['a script without quotes', '<script>a = ', '</script>', /^[\p{L}\p{N}_ \\]*$/u],
    ['an old script of another type', '<script type=text/html><p>', '</p></script>', /^[^<>"'`]*$/],
    ['a handler', '<p onclick="f(\'', '\')">', /^[\p{L}\p{N}_ \\]*$/u],
    [
      'the address of a link that is a script',
      '<a href=" JavaScript:f(\'',
      '\')">',
      /^[\p{L}\p{N}_ \\]*$/u,
    ],
    ['a style sheet', '<style>p{color:', '}</style>', /^[^;:(){}<>\\/]*$/],
    ['a style', '<p style="color:', '">', /^[^;:(){}<>\\/"]*$/],
    ['the inside of a tag', '<p ', '>', /^$/],
    ['a document in a frame', '<iframe srcdoc="', '">', /^$/],
  ] as const)
    test(`in ${place}`, async () => {
      for (const value of ATTACKS) {
        const page = await shown(`${before}{{ value }}${after}`, { value, secret: 'shown' })
        expect(page.startsWith(before) && page.endsWith(after)).toBe(true)
        expect(page.slice(before.length, page.length - after.length)).toMatch(harmless)
      }
    })

  for (const [place, source] of [
    ['where a value is expected', 'var a = {{ value | json }};'],
    ['in a call', 'f({{ value | json }})'],
    ['in an object', 'var b = {a: {{ value | json }}}; a = b.a'],
    ['in double quotes', 'var a = "{{ value | json }}"; a = JSON.parse(a)'],
    ['in single quotes', "var a = '{{ value | json }}'; a = JSON.parse(a)"],
    ['in a template literal', 'var a = `{{ value | json }}`; a = JSON.parse(a)'],
    ['behind a quote in quotes', "var a = '\"' + '{{ value | json }}'; a = JSON.parse(a.slice(1))"],
  ] as const)
    test(`as JSON in a script, ${place}`, async () => {
      for (const value of ATTACKS) {
        const [, script = ''] = /^<script>(.*)<\/script>$/s.exec(
          await shown(`<script>${source}</script>`, { value: [value, { k: value }] }),
        ) ?? ['']
        expect(script).not.toMatch(/[<>\u2028]/)
        const run = new Function('f', 'alert', `var a; ${script.replace('f(', 'a = f(')}; return a`)
        const fail = () => {
          throw new Error('A value has run')
        }
        expect(run((same: unknown) => same, fail)).toEqual([value, { k: value }])
      }
    })

  test('in a partial, which is not allowed in a script', async () => {
    const { html, problems } = await previewed(
      "<script>var a = '{% include 'p' %}'</script>",
      { v: "'" },
      { kind: 'receipt', partials: { p: '{{ v }}' } },
    )
    expect(html).toBe("<script>var a = ''</script>")
    expect(problems[0]?.message).toContain('a script, style or tag cannot include')
  })
})

describe('a harmless value is written unchanged', () => {
  for (const [source, value, page] of [
    ['<script>pay({{ v }})</script>', '10.00', '<script>pay(10.00)</script>'],
    ['<script>a = {{ v }}</script>', true, '<script>a = true</script>'],
    ['<a href="{{ v }}">', 'https://shop.example/a?b=c', '<a href="https://shop.example/a?b=c">'],
    ['<a href="{{ v }}">', '/terms', '<a href="/terms">'],
    ['<a href="{{ v }}">', 'mailto:kim@example.org', '<a href="mailto:kim@example.org">'],
    [
      '<script src="{{ v }}"></script>',
      'https://pay.example/a.js',
      '<script src="https://pay.example/a.js"></script>',
    ],
    [
      '<script src="https://cdn.example/{{ v }}"></script>',
      'a',
      '<script src="https://cdn.example/a"></script>',
    ],
    ['<p style="color: {{ v }}">', '#ff0000', '<p style="color: #ff0000">'],
  ] as const)
    test(`${source} with ${JSON.stringify(value)}`, async () =>
      expect(await shown(source, { v: value })).toBe(page))
})

test('attack 23 (liquid-raw): the filter raw is reported with its line, and prints nothing raw', async () => {
  const { html, problems } = await previewed(
    '<p>\n{{ v | raw }}',
    { v: '<b>' },
    { kind: 'receipt' },
  )
  expect(html).toBe('<p>\n&#60;b&#62;')
  expect(problems).toContainEqual({ line: 2, message: expect.stringContaining('raw') })
})
