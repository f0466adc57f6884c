import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { writeStaticDocs } from '../../../build/static-docs.ts'
import { memoized } from '../../../mock-gateway/domain/memoized.ts'
import { blocksOf, DOCUMENTS } from '../../helpers/documents.ts'
import { programEnv } from '../../helpers/program.ts'
import { runInMemory } from '../../helpers/running.ts'

/** Tests that run all shell commands of a guide in order, on a new gateway. */

const SUBSCRIPTION = 'docs/how-to/subscriptions.md'

/**
 * Guides, each with the answers that its commands get, in their order; some begin with a
 * subscription.
 */
const GUIDES: readonly { guide: string; subscribed?: true; answers: readonly RegExp[] }[] = [
  {
    guide: 'docs/start/first-payment.md',
    answers: [/"approved"/, /"code":129/, /"href":"[^"]+\/v1\/form\//],
  },
  {
    guide: 'docs/how-to/stored-cards.md',
    answers: [
      /"payment_ref":"B1".*?"status":"approved"/,
      /"payment_ref":"B2".*?"status":"approved"/,
      /"payment_ref":"B3".*?"status":"approved"/,
      /"cancelled"/,
    ],
  },
  {
    guide: 'docs/how-to/refund.md',
    answers: [/"approved"/, /"amount":"5.00"/, /"amount":"5.00"/, /"code":134/],
  },
  {
    guide: 'docs/how-to/capture.md',
    answers: [
      /"authorized"/,
      /"approved"/,
      /"amount":"6.00".*?"org_auth_amount":10/,
      /"capture pending"/,
      /"status":"failed".*"status":"failed"/,
    ],
  },
  {
    guide: SUBSCRIPTION,
    answers: [
      /"plan":/,
      /"S1".*?"status":"approved"/,
      /"status":"approved".*"status":"declined"/,
      /"cancelled"/,
    ],
  },
  {
    guide: 'docs/how-to/test-dunning.md',
    subscribed: true,
    answers: [
      /"status":"declined".*"status":"approved"/,
      /("status":"declined".*?){5}/,
      /"dunning":\[2,4\]/,
      /"failed"/,
    ],
  },
  {
    guide: 'docs/how-to/lose-an-answer.md',
    answers: [/"drop"/, /Empty reply/, /"payment_ref":"L1".*?"approved"/],
  },
  {
    guide: 'docs/how-to/rotate-a-secret.md',
    answers: [
      /"secret":"/,
      /"webhook_keys":\["whsec_[^"]+","whsec_/,
      /"webhook_keys":\["whsec_[^"]+"\]/,
      /BEGIN PUBLIC/,
    ],
  },
]

test('each guide that uses $control defines it', () => {
  const unset = DOCUMENTS.filter((document) => {
    const text = blocksOf(document)
      .map(({ code }) => code)
      .join('')
    return text.includes('$control') && !text.includes('control=http://localhost:4400/_control')
  })
  expect(unset).toEqual([])
})

const commandsOf = (guide: string) =>
  blocksOf(guide).flatMap(({ language, code }) => (language === 'sh' ? code : []))

test.each(GUIDES)(
  '$guide gets the answers that it describes',
  async ({ guide, subscribed, answers }) => {
    const gateway = await runInMemory()
    onTestFinished(() => gateway.close())
    const commands = [
      ...commandsOf(SUBSCRIPTION).slice(0, subscribed ? 2 : 0),
      ...commandsOf(guide),
    ]
      .join('')
      .replaceAll('http://localhost:4400', gateway.url)
      .replaceAll('the key that was printed', gateway.control.key ?? '')
    const shell = `curl() { command curl --silent --show-error "$@"; echo; }\n${commands}`
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', `exec 2>&1\n${shell}`], {
      env: programEnv(),
    })
    expect(stderr).toBe('')
    const output = stdout.replaceAll('\n', ' ')
    let place = 0
    for (const answer of answers) {
      const found = answer.exec(output.slice(place))
      expect(found, `${answer} in ${output.slice(place, place + 2000)}`).not.toBeNull()
      place += (found?.index ?? 0) + (found?.[0].length ?? 0)
    }
  },
)

describe('the static site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'static-docs-'))
  let pages: readonly string[] = []
  beforeAll(async () => {
    pages = await writeStaticDocs(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const read = memoized(Number.POSITIVE_INFINITY, (path: string) => readFileSync(path, 'utf8'))

  test('the static site has every guide, and each of its links leads to a file and a heading', () => {
    expect(pages).toEqual(
      expect.arrayContaining(['index', 'how-to/rotate-a-secret', 'reference/api', 'errors/134']),
    )
    const broken = pages.flatMap((page) => {
      const file = join(folder, `${page}.html`)
      const links = [...read(file).matchAll(/<(?:a|link|img)\b[^>]*\b(?:href|src)="([^"]*)"/g)].map(
        ([, to = '']) => to,
      )
      return links
        .filter((to) => !/^(?:https?:|mailto:|data:)/.test(to) && !isThere(file, to))
        .map((to) => `${page}: ${to}`)
    })
    expect(broken).toEqual([])
  })

  test('no part of the static site needs a running gateway', () => {
    for (const page of pages)
      expect(read(join(folder, `${page}.html`)), page).not.toMatch(
        /<script|<form class|<section class="try"|href="\//,
      )
  })

  function isThere(from: string, to: string): boolean {
    const [path = '', anchor] = to.split('#')
    const file = path === '' ? from : join(dirname(from), path)
    return existsSync(file) && (anchor === undefined || read(file).includes(`id="${anchor}"`))
  }
})
