import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
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

test('a rendering that hangs is stopped after 40 times its CPU limit in real time', async () => {
  const patient = createRenderer(ENDLESS, 50)
  try {
    await patient.render(1, job('quick'), PATIENT_MS)
    holdTimers()
    let reason = ''
    const rendering = patient.render(1, job('asleep'), PATIENT_MS).catch((error) => {
      reason = error.message
    })
    await vi.advanceTimersByTimeAsync(40 * 50 - 1)
    expect(reason).toBe('')
    await vi.advanceTimersByTimeAsync(1)
    await rendering
    expect(reason).toBe('Rendering took longer than 50 ms')
  } finally {
    await patient.close()
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

describe('if templates use all their time', () => {
  test("the last of 24 stops after its payer's time limit", async () => {
    const busy = createRenderer(ENDLESS, 50)
    try {
      const first = busy.render(1, job('loop'), PATIENT_MS)
      const others = Array.from({ length: 23 }, () => busy.render(1, job('loop'), 1_000))
      const all = await Promise.allSettled([first, ...others])
      const reasons = all.map((one) => String(one.status === 'rejected' && one.reason.message))
      expect(reasons[0]).toBe('Rendering took longer than 50 ms')
      expect(reasons.at(-1)).toBe(
        'Rendering did not start within 1000 ms: other templates were rendered, or the machine was busy',
      )
    } finally {
      await busy.close()
    }
  })

  test('another merchant is not delayed, even if several merchants have such templates', async () => {
    const fair = createRenderer(ENDLESS, 50)
    try {
      // Templates of merchants 1 and 2 have been stopped before, and the third merchant's page was
      // rendered.
      await Promise.allSettled([1, 2].map((id) => fair.render(id, job('loop'), PATIENT_MS)))
      await fair.render(3, job('quick'), PATIENT_MS)
      // From here on no time limit ends, because the timers are stopped.
      holdTimers()
      vi.spyOn(performance, 'now').mockReturnValue(performance.now())
      let ended = 0
      const loops = Array.from({ length: 24 }, (_, at) =>
        fair.render((at % 2) + 1, job('loop'), PATIENT_MS),
      )
      const all = loops.map((loop) => loop.catch(() => (ended += 1)))
      for (let at = 0; at < 5; at += 1) await fair.render(3, job('quick'), PATIENT_MS)
      expect(ended).toBe(0)
      await fair.close()
      await Promise.all(all)
    } finally {
      vi.restoreAllMocks()
      await fair.close()
    }
  })
})
