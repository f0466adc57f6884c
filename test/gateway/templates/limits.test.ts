import { describe, expect, test } from 'vitest'
import { TemplateError } from '../../../mock-gateway/templates/problems.ts'
import { shown } from './rendered.ts'

const VARIABLES = {
  list: [3, 1, 2],
  text: 'a,b,c',
  // A list of these is small for a filter, and long as a text.
  long: ['x'.repeat(10_000)],
  objects: Array.from({ length: 50 }, (_, k) => ({ k, name: `n${k}` })),
  transaction: { metadata: {} },
}

async function failureOf(source: string, partials: Record<string, string> = {}): Promise<string> {
  const failure = await shown(source, VARIABLES, { partials }).then(
    (text) => `It rendered ${text.length} characters`,
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(TemplateError)
  return String((failure as Error).message)
}

const times = (count: number, body: string) => `{% for i in (1..${count}) %}${body}{% endfor %}`

describe('a template that needs too much time or memory is stopped', () => {
  for (const [name, source] of [
    [
      'attack 28 (liquid-cpu): nested loops',
      times(3000, times(3000, '{{ text | upcase | downcase | split: "," }}')),
    ],
    [
      'attack 28 (liquid-cpu): chains of filters',
      `{% assign x = text %}${times(14, '{% assign x = x | append: x %}')}${times(3000, '{% assign y = x | split: "," | sort | reverse | uniq | join: "," %}')}`,
    ],
    ['attack 28 (liquid-cpu): the width of a date', '{{ "2026-01-01" | date: "%99999999d" }}'],
    [
      'attack 28 (liquid-cpu): a text that replacing grows',
      `{% assign x = "aaaaaaaaaaaaaaaaaaaaaaaa" %}${times(9, '{% assign x = x | replace: "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" %}')}{{ x }}`,
    ],
    [
      'attack 29 (liquid-memory): doubling',
      `{% assign x = "aaaaaaaaaaaaaaaa" %}${times(60, '{% assign x = x | append: x %}')}{{ x }}`,
    ],
    [
      'attack 29 (liquid-memory): lists',
      `{% assign x = list %}${times(60, '{% assign x = x | concat: x %}')}{{ x | join: "," }}`,
    ],
    [
      'attack 29 (liquid-memory): 3,000 nested ifs',
      `${'{% if true %}'.repeat(1800)}${'{% endif %}'.repeat(1800)}${times(400, times(400, times(400, 'x')))}`,
    ],
    ['attack 29 (liquid-memory): a template that includes itself', '{% include "self" %}'],
    ['a page of over 512 KB', times(600, times(1000, 'x'))],
    [
      'attack 29 (liquid-memory): a list as a text',
      `{% assign x = long %}${times(13, '{% assign x = x | concat: x %}')}{{ x }}`,
    ],
    [
      'attack 29 (liquid-memory): a list as a parameter',
      `{% assign x = long %}${times(13, '{% assign x = x | concat: x %}')}{{ "" | append: x }}`,
    ],
    [
      'attack 29 (liquid-memory): JSON',
      `{% assign x = objects %}${times(12, '{% assign x = x | concat: x %}')}{{ x | json | size }}`,
    ],
  ] as const)
    test(name, async () => {
      const partials = { self: 'a{% include "self" %}{% include "self" %}' }
      expect(await failureOf(source, partials)).toMatch(/longer|limit|memory|recurs|stack|call/i)
    })
})

for (const path of ['../../../../etc/passwd', '/etc/passwd', 'package.json', 'file:///etc/passwd'])
  for (const tag of ['include', 'render', 'layout'])
    test(`attack 27 (liquid-files): ${tag} "${path}" reads no file`, async () => {
      expect(await failureOf(`{% ${tag} "${path}" %}`)).toContain(
        'does not exist, so the page cannot be shown',
      )
    })

for (const path of [
  'constructor',
  '__proto__',
  'metadata.toString',
  'metadata.constructor.constructor',
  'metadata.hasOwnProperty',
  '["__proto__"]["polluted"]',
])
  test(`attack 25 (liquid-prototype): transaction.${path} prints nothing`, async () => {
    const source = `{{ transaction.${path} }}`.replace('.[', '[')
    expect(await shown(source, VARIABLES)).toBe('')
  })

for (const source of [
  '{{ "x" | where_exp: "item", "item.constructor.constructor(\'return process\')()" }}',
  '{% assign x = "constructor" %}{{ transaction[x][x] }}',
  '{{ list | map: "constructor" | first }}',
  '{{ list | sort: "constructor" | map: "__proto__" | first }}',
  '{{ list | group_by_exp: "i", "i.constructor" | map: "name" | first }}',
])
  test(`attack 26 (liquid-rce): ${source} reaches no function`, async () => {
    const text = await shown(source, VARIABLES).catch(() => '')
    expect(text).not.toMatch(/function|process|native|Object/)
  })
