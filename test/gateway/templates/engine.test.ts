import { describe, expect, test } from 'vitest'
import { parseExactly } from '../../../mock-gateway/domain/json.ts'
import { prepare } from '../../../mock-gateway/templates/prepare.ts'
import { splitIntoTokens } from '../../../mock-gateway/templates/tokens.ts'
import { readLongText } from '../../helpers/long-text.ts'
import { problemsOf, shown } from './rendered.ts'

const METADATA = {
  email: 'kim@example.org',
  customer: { firstname: "Kim's" },
  products: [{ name: 'Cup' }],
}
const PLANS = [
  { id: 4, name: 'Monthly' },
  { id: 9, name: 'Yearly' },
]
const VARIABLES = {
  currency: 'sek',
  now: '2026-03-14T12:00:00Z',
  endpoint: 'https://pay.example/v1/',
  transaction: {
    amount: '10.00',
    currency: 'sek',
    href: 'https://pay.example/v1/form/x',
    metadata: METADATA,
    refunds: [{ amount: '1.00' }, { amount: '2.50', reason: 'Broken' }],
    merchant: {
      name: 'A shop',
      plans: PLANS,
      settings_hosted: { v2: { swish: { active: true }, layout: {} } },
    },
    payment_details: { country_code: 'NOR', mask_city: 'O***' },
  },
}

describe('an output', () => {
  for (const [source, text] of [
    ['{{ transaction.amount }}', '10.00'],
    ['{{transaction.href}}', 'https://pay.example/v1/form/x'],
    ['{{ transaction.amount | round }}', '10'],
    ['{{ currency }}', 'sek'],
    ["{{ transaction.metadata['email'] }}", 'kim@example.org'],
    ["{{ transaction.metadata['products'][0]['name'] }}", 'Cup'],
    ["{{ transaction['metadata'].products[0].name }}", 'Cup'],
    ['{{ transaction.refunds.last.amount }} {{ transaction.refunds.last.reason }}', '2.50 Broken'],
    ['{{ transaction.merchant.name }}', 'A shop'],
    ['{{{ transaction.payment_details.country_code }}', 'NOR'],
    ['{{- transaction.amount -}}', '10.00'],
    ['{{ transaction.amount | }}', '10.00'],
    ['{{ nothing.at.all }}', ''],
    ['{{ transaction.metadata.none | upcase | append: "!" }}', '!'],
    ['{{ }}', ''],
    ['{{ empty }}{{ nil }}', ''],
    ['{{ transaction.amount | no_such_filter }}', '10.00'],
    ['{{ "now" | date: "%Y-%m-%d" }}', '2026-03-14'],
    ['{% echo transaction.amount %}', '10.00'],
  ] as const)
    test(`${source} prints ${JSON.stringify(text)}`, async () =>
      expect(await shown(source, VARIABLES)).toBe(text))

  test('an output of an object is its JSON, which a page can read inside quotes of a script', async () => {
    const script = await shown("<script>'{{ transaction.metadata }}'</script>", VARIABLES)
    // biome-ignore lint/security/noGlobalEval: it is what a browser does with the script
    const read = globalThis.eval(script.replace(/<\/?script>/g, ''))
    expect(JSON.parse(read)).toEqual(METADATA)
  })

  test('an output of numbers has the digits that were sent, including those that JavaScript would lose', async () => {
    const variables = parseExactly('{"id":12345678901234567890,"price":1.50}')
    expect(await shown('{{ id }} {{ price | times: 2 }}', variables)).toBe('12345678901234567890 3')
  })
})

describe('a filter of the service', () => {
  for (const [filter, unset, set] of [
    ['default_true', 'true', 'false'],
    ['default_false', 'false', 'x'],
    ['default_string_empty_name', '', 'x'],
    ['default_string_empty_logo', '', 'x'],
    ['default_string_empty_terms', '', 'x'],
    ['default_payment_method', 'credit_card_tab', 'x'],
    ['default_segmentation', 'b2c', 'x'],
    ['default_country', 'SWE', 'NOR'],
    ['default_country_name', 'Sweden', 'Norway'],
    ['default_endpoint', 'https://pay.example/v1/', 'https://other.example/'],
    ['default_payment_js_endpoint', 'https://pay.example/assets/service-payment.js', 'x'],
    ['default_lang_endpoint', 'https://pay.example/assets/service-lang.js', 'x'],
    ['default_css_endpoint', 'https://pay.example/assets/service-payment.css', 'x'],
    ['default_metadata_country', 'SWE', 'NOR'],
  ] as const) {
    test(`${filter} gives ${JSON.stringify(unset)} for an unset value`, async () => {
      for (const source of [`{{ a.b.c | ${filter} }}`, `{{ blank_text | ${filter} }}`])
        expect(await shown(source, { blank_text: '', endpoint: 'https://pay.example/v1/' })).toBe(
          unset,
        )
    })
    test(`${filter} keeps a set value`, async () => {
      const value = set === 'false' ? false : set
      expect(await shown(`{{ value | ${filter} }}`, { value })).toBe(set)
    })
  }

  test('default_metadata_country finds the country at the usual places', async () => {
    const source = '{{ transaction.payment_details.country_code | default_metadata_country }}'
    for (const metadata of [
      { country: 'FIN' },
      { order: { customer: { default_address: { country: 'FIN' } } } },
      { order: { billing_address: { country: 'FIN' } } },
    ])
      expect(await shown(source, { transaction: { metadata } })).toBe('FIN')
  })

  test('replace_metadata gives JSON for single quotes', async () => {
    expect(await shown('{{ m | replace_metadata }}', { m: { a: "b'c" } })).toBe(
      '{&#34;a&#34;:&#34;bc&#34;}',
    )
  })

  for (const source of [
    `{{ transaction.metadata | replace: "'", "" }}`,
    `{{ transaction.metadata | replace: "\\'", "" }}`,
  ])
    test(`${source} takes quotes out of the JSON of an object`, async () => {
      expect(await shown(source, VARIABLES)).toContain('&#34;firstname&#34;:&#34;Kims&#34;')
    })

  test('the filter mask shows only the first character of each word', async () => {
    expect(await shown('{{ "Storgatan 1 Åby" | mask }}')).toBe('S******** 1 Å**')
  })

  test('the filter json prints JSON in a script, and escaped text on the page', async () => {
    const value = { a: '<b>' }
    expect(await shown('<script>var a = {{ value | json }};</script>', { value })).toBe(
      '<script>var a = {"a":"\\u003cb\\u003e"};</script>',
    )
    expect(await shown('{{ value | json }}', { value })).toBe('{&#34;a&#34;:&#34;&#60;b&#62;&#34;}')
  })
})

describe('a tag', () => {
  for (const [source, text] of [
    [
      "{% assign show = transaction.merchant.settings_hosted['v2'].swish.active | default_false %}{% if show == true %}yes{% endif %}",
      'yes',
    ],
    [
      "{% assign show = transaction.merchant.settings_hosted['v2']['paypal'].active | default_false %}{% if show == true %}yes{% endif %}",
      '',
    ],
    ['{% assign x = default_false %}{% if x == true %}yes{% endif %}', ''],
    ['{% assign x = default_true %}{% if x == true %}yes{% endif %}', 'yes'],
    [
      "{% for item in transaction.merchant.plans %}{{ item['id'] }} {{ item['name'] }};{% endfor %}",
      '4 Monthly;9 Yearly;',
    ],
    ['{% for item in {{ transaction.merchant.plans }} %}{{ item.id }}{% endfor %}', '49'],
    [
      '{% for a in (1..2) %}{% for b in (1..2) %}{{ a }}{{ b }} {% endfor %}{% endfor %}',
      '11 12 21 22 ',
    ],
    ['{% unless nothing %}a{% else %}b{% endunless %}', 'a'],
    ["{% case currency %}{% when 'eur' %}e{% when 'sek' %}s{% else %}?{% endcase %}", 's'],
    ['{% comment %}{{ transaction.amount }}{% endcomment %}x', 'x'],
    ['{% raw %}{{ a }}{% endraw %}', '{{ a }}'],
  ] as const)
    test(`${source} shows ${JSON.stringify(text)}`, async () =>
      expect(await shown(source, VARIABLES)).toBe(text))

  test('includes another template of the merchant', async () => {
    const partials = { footer: '-- {{ transaction.amount }}' }
    expect(await shown("a {% include 'footer' %}", VARIABLES, { partials })).toBe('a -- 10.00')
  })
})

describe('unreadable templates', () => {
  for (const [source, text, line] of [
    ['a {{ open', 'a {{ open', undefined],
    ['a {% open', 'a {% open', undefined],
    ['a }} b %}', 'a }} b %}', undefined],
    ['a {{ open {{ currency }}', 'a {{ open sek', undefined],
    ['<script>f({{</script>', '<script>f({{</script>', undefined],
    ['a {{ currency | replace: }}{{ currency }}', 'a seksek', undefined],
    ['\n{{ "a }}b', '\nb', 2],
    ['{% zork %}b', 'b', 1],
    ['a{% endif %}b', 'ab', 1],
    ['\n\n{% if currency %}b', '\n\nb', 3],
    ['{% if %}a{% else %}b{% endif %}', 'ab', 1],
    ['{% if a %}x{% else %}{% for i in b %}y', 'xy', 1],
    ['{% else %}b', 'b', 1],
    ['{% if a %}{% when 1 %}{% endif %}b', 'b', 1],
    ['{% for %}a{% endfor %}b', 'ab', 1],
    ['{% raw %}a', 'a', 1],
    ['{% comment %}a', 'a', 1],
  ] as const)
    test(`${JSON.stringify(source)} shows ${JSON.stringify(text)}${line ? `, and line ${line} is named` : ''}`, async () => {
      expect(await shown(source, { currency: 'sek' })).toBe(text)
      const left = (await prepare(source, 'receipt')).problems.filter(({ message }) =>
        message.includes('leaves out'),
      )
      expect(left[0]?.line).toBe(line)
    })
})

describe('the check of a template', () => {
  const form = '<form method="post"></form>'

  for (const [source, problem] of [
    [`a\n{{ open${form}`, '2: {{ appears on the page as text, because it has no matching }}'],
    [`a\n\n b {% open${form}`, '3: {% appears on the page'],
    [`${form}\na }} b`, '2: }} appears on the page'],
    [`${form}\na\nb %}`, '3: %} appears on the page'],
    [`{{ transaction.amount }\n{{ currency }}${form}`, '1: {{ appears on the page'],
    [`${form}<script>\nf({{</script>`, '2: {{ appears on the page'],
    [
      `${form}\n{{ transaction.amuont }}`,
      '2: The variable transaction.amuont does not exist, so it is empty',
    ],
    [`${form}\n\n{% if customr.ref == 'a' %}{% endif %}`, '3: The variable customr does'],
    [
      `${form}{{ transaction.merchant.secret }}`,
      '1: The variable transaction.merchant.secret does',
    ],
    [
      `${form}\n{% assign x = transaction.ammount | plus: 1 %}`,
      '2: The variable transaction.ammount does',
    ],
    [
      `${form}\n{% include 'gone' %}`,
      '2: The part "gone" does not exist, so the page cannot be shown',
    ],
    [`${form}{% if false %}\n\n{% include "gone" %}{% endif %}`, '3: The part "gone" does'],
    ['<p>\nnothing</p>', '1: The page has no form, so payers cannot pay on it'],
    ['<p>\n<form\n>a</form></p>', '2: The form needs method="post"'],
    [
      `{% comment %}\n\n{% endcomment %}{{\n  currency\n}}\n{% zork %}${form}`,
      '6: The page leaves out {% zork %}',
    ],
  ] as const)
    test(`the check of ${JSON.stringify(source)} reports: ${problem}`, async () => {
      expect(await problemsOf(source)).toContainEqual(expect.stringContaining(problem))
    })

  for (const source of [
    `<style>@media print{a{color:red}}b{width:5%}</style><script>var a={b:{}}</script>${form}`,
    `{% raw %}{{ open{% endraw %}{% comment %}{{ open{% endcomment %}${form}`,
    `{% for p in transaction.merchant.plans %}{{ p.any }}{{ forloop.index }}{% endfor %}${form}`,
    `{% assign x = default_true %}{% capture y %}a{% endcapture %}{{ x }}{{ y }}{{ empty }}${form}`,
    `{{ transaction.metadata['order']['id'] }}{{ transaction.items[0].artno }}${form}`,
    '<script>document.write(\'<form method="post">\')</script>',
    '{% include "with_form" %}{{ named_there }}',
  ])
    test(`the check of ${JSON.stringify(source)} reports nothing`, async () => {
      const partials = { with_form: `{% assign named_there = 1 %}${form}` }
      expect(await problemsOf(source, { partials })).toEqual([])
    })

  test('names the line of the mistake, also after parts that are not rendered', async () => {
    const source =
      "{% if\n currency\n%}{{\n}}{% comment %}\n{% endcomment %}{% for %}\n{% endfor %}\n{% include 'gone' %}"
    await expect(shown(source, { currency: 'sek' })).rejects.toThrow('Line 7: The part "gone" does')
    const partials = { foot: "\n{% include 'gone' %}" }
    await expect(shown("{% include 'foot' %}", {}, { partials })).rejects.toThrow(
      'Line 2 of the part foot: The part "gone" does',
    )
  })

  test('the check of a partial knows the names of its page, and requires no form', async () => {
    expect(await problemsOf('{{ total }}\n{{ transaction.totl }}', { kind: 'partial' })).toEqual([
      '2: The variable transaction.totl does not exist, so it is empty',
    ])
  })
})

const written = (source: string) =>
  splitIntoTokens(source).map(({ kind, written }) => [kind, written])

test.each([
  ['a {{{ b }}} c', ['a ', '{{{ b }}}', ' c']],
  ['{ {{ a }} }', ['{ ', '{{ a }}', ' }']],
  ['{{{% if a %}', ['{{', '{% if a %}']],
  ['{{ a {{ b }}', ['{{ a ', '{{ b }}']],
  [
    '{% raw %}{{ a }}{% endraw %}{% raw %}{{ b }}',
    ['{% raw %}{{ a }}{% endraw %}', '{% raw %}', '{{ b }}'],
  ],
])('%s is split into its tokens', (source, tokens) => {
  expect(written(source).map(([, text]) => text)).toEqual(tokens)
})

test.each(['{', '{{', '{{ a ', '{% raw %}', '{% comment %}', '{%', '{{{% a %}', '%}{%', '\n'])(
  'a source of 256 KB that repeats %j is split into tokens',
  (unit) => readLongText(splitIntoTokens, unit),
)
