import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Job } from '../../../mock-gateway/templates/engine.ts'
import { TemplateError } from '../../../mock-gateway/templates/render-thread.ts'
import { createRenderer, type Renderer } from '../../../mock-gateway/templates/renderer.ts'
import { holdTimers } from '../../helpers/machine-time.ts'

const WORKER = new URL('../../../mock-gateway/templates/render-worker.ts', import.meta.url)
const ENDLESS = new URL('./endless-worker.ts', import.meta.url)

let renderer: Renderer
beforeAll(() => {
  renderer = createRenderer(WORKER)
})
afterAll(() => renderer.close())

const job = (source: string, over: Partial<Job> = {}): Job => ({
  mode: 'page',
  source,
  partials: {},
  variables: '{"list":[3,1,2],"text":"a,b,c"}',
  own: [],
  ...over,
})

/**
 * Time limit of the caller in milliseconds. It is long, so that on a busy machine only the
 * renderer's own limit ends a rendering.
 */
const PATIENT_MS = 60_000

const fails = async (source: string, over: Partial<Job> = {}) => {
  const failure = await renderer.render(1, job(source, over), PATIENT_MS).then(
    ({ text }) => `It rendered ${text.length} characters`,
    (error) => error,
  )
  expect(failure).toBeInstanceOf(TemplateError)
  return String(failure.message)
}

const times = (count: number, body: string) => `{% for i in (1..${count}) %}${body}{% endfor %}`

describe('a template that needs too much time or memory is stopped, and the next one is rendered', () => {
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
    ['a source of over 64 KB', 'x'.repeat(65_537)],
  ] as const)
    test(name, async () => {
      const reason = await fails(source, {
        partials: { self: 'a{% include "self" %}{% include "self" %}' },
      })
      expect(reason).toMatch(/longer|limit|memory|recurs|stack|call/i)
      expect((await renderer.render(1, job('{{ list | join }}'), PATIENT_MS)).text).toBe('3 1 2')
    })

  test('the main process continues during a rendering', async () => {
    const slow = createRenderer(ENDLESS)
    try {
      await slow.render(1, job('quick'), PATIENT_MS)
      holdTimers()
      const rendering = slow.render(1, job('loop'), PATIENT_MS)
      const turns = (async () => {
        for (let turn = 0; turn < 3; turn += 1) await setImmediate()
        return 'three turns'
      })()
      expect(await Promise.race([rendering, turns])).toBe('three turns')
      await slow.close()
      await expect(rendering).rejects.toThrow(TemplateError)
    } finally {
      await slow.close()
    }
  })
})

test('a thread that does not answer is stopped after the limit, and the next rendering gets a new one', async () => {
  const impatient = createRenderer(ENDLESS, 50)
  try {
    for (const source of ['one', 'another'])
      await expect(impatient.render(1, job(source), PATIENT_MS)).rejects.toThrow(
        'Rendering took longer than 50 ms',
      )
  } finally {
    await impatient.close()
  }
})

for (const path of ['../../../../etc/passwd', '/etc/passwd', 'package.json', 'file:///etc/passwd'])
  for (const tag of ['include', 'render', 'layout'])
    test(`attack 27 (liquid-files): ${tag} "${path}" reads no file`, async () => {
      expect(await fails(`{% ${tag} "${path}" %}`)).toContain(
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
    expect(
      (
        await renderer.render(
          1,
          job(source, { variables: '{"transaction":{"metadata":{}}}' }),
          PATIENT_MS,
        )
      ).text,
    ).toBe('')
  })

for (const source of [
  '{{ "x" | where_exp: "item", "item.constructor.constructor(\'return process\')()" }}',
  '{% assign x = "constructor" %}{{ transaction[x][x] }}',
  '{{ list | map: "constructor" | first }}',
  '{{ list | sort: "constructor" | map: "__proto__" | first }}',
  '{{ list | group_by_exp: "i", "i.constructor" | map: "name" | first }}',
])
  test(`attack 26 (liquid-rce): ${source} reaches no function`, async () => {
    const text = await renderer.render(1, job(source), PATIENT_MS).then(
      ({ text }) => text,
      () => '',
    )
    expect(text).not.toMatch(/function|process|native|Object/)
  })

test('renderings of a merchant wait for each other, and too many are rejected', async () => {
  const texts = Array.from({ length: 120 }, (_, at) => String(at))
  const all = await Promise.allSettled(texts.map((text) => renderer.render(1, job(text), 20_000)))
  const rendered = all.flatMap((one) => (one.status === 'fulfilled' ? one.value.text : []))
  expect(rendered.length).toBeGreaterThanOrEqual(100)
  expect(rendered).toEqual(texts.slice(0, rendered.length))
  expect(String(all.find((one) => one.status === 'rejected')?.reason)).toContain(
    'Too many templates are waiting',
  )
})
