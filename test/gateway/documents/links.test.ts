import { execFileSync } from 'node:child_process'
import * as crypto from 'node:crypto'
import { posix } from 'node:path'
import * as msw from 'msw'
import * as mswNode from 'msw/node'
import * as vitest from 'vitest'
import { describe, expect, test } from 'vitest'
import * as client from '../../../mock-gateway/client.ts'
import * as gateway from '../../../mock-gateway/gateway.ts'
import * as testingMsw from '../../../mock-gateway/testing/msw.ts'
import * as testingVitest from '../../../mock-gateway/testing/vitest.ts'
import * as testing from '../../../mock-gateway/testing.ts'
import {
  blocksOf,
  DOCUMENTS,
  inRepository,
  program,
  read,
  runProgram,
} from '../../helpers/documents.ts'

/** Returns the anchor of a heading on the pages of a repository. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

const anchors = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.*)$|<a id="([^"]+)">/gm)].map(
    ([, heading = '', id]) => id ?? anchorOf(heading),
  )

/** Paths of all files that git tracks: the files of a clone that was never built. */
const tracked = execFileSync('git', ['ls-files', '-z'], {
  cwd: inRepository(''),
  maxBuffer: 2 ** 26,
})
  .toString()
  .split('\0')
const hasFile = (path: string) =>
  tracked.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`))

describe('every link has a target that git tracks:', () => {
  for (const document of tracked.filter((path) => path.endsWith('.md')))
    test(document, () => {
      const targets = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(
        ([, target = '']) => target,
      )
      const dead = targets.filter((target) => {
        if (/^https?:/.test(target)) return false
        const [path = '', anchor] = target.split('#')
        const file = path ? posix.join(posix.dirname(document), path) : document
        if (!hasFile(file)) return true
        return anchor !== undefined && !anchors(file).includes(anchor)
      })
      expect(dead).toEqual([])
    })
})

test('README, CONTRIBUTING or the index of the guides leads to every document', () => {
  const index = read('docs/index.md').replaceAll('](', '](docs/').replaceAll('](docs/../', '](')
  const leading = read('README.md') + read('CONTRIBUTING.md') + index
  const unknown = DOCUMENTS.slice(1).filter(
    (document) => !leading.includes(`(${document})`) && !leading.includes(`(${document}#`),
  )
  expect(unknown).toEqual([])
})

test('commands to paste run the installed gateway with npx', () => {
  const bare = DOCUMENTS.filter((document) =>
    blocksOf(document).some(
      ({ language, code }) => language === 'sh' && /^ *mondido-gateway /m.test(code),
    ),
  )
  expect(bare).toEqual([])
})

test.each(DOCUMENTS)('%s has fewer than 5,000 words', (document) => {
  const words = read(document)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  expect(words.length).toBeLessThan(5_000)
})

test('docs/inside/dependencies.md lists every installed package with a reason', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'))
  const told = [...read('docs/inside/dependencies.md').matchAll(/^\| ([^|]*) \| \S/gm)].flatMap(
    ([, names = '']) => names.split(', '),
  )
  const installed = Object.keys({ ...dependencies, ...devDependencies })
  // A row "@types/…" covers every package whose name begins with "@types/".
  const covers = (name: string) =>
    told.some((each) => each === name || (each.endsWith('…') && name.startsWith(each.slice(0, -1))))
  expect(installed.filter((name) => !covers(name))).toEqual([])
  const gone = told.filter(
    (each) => !installed.some((name) => name === each || name.startsWith(each.replace('…', '/'))),
  )
  expect(gone.filter((each) => !each.endsWith('…') && each !== 'Package')).toEqual([])
})

describe('programs of the guides', () => {
  const { describe, expect, test, vi } = vitest

  /** Modules that the programs of the documents can import. */
  const MODULES = {
    'mondido-gateway': gateway,
    'mondido-gateway/client': client,
    'mondido-gateway/testing': testing,
    'mondido-gateway/testing/msw': testingMsw,
    'mondido-gateway/testing/vitest': testingVitest,
    'node:crypto': crypto,
    msw,
    'msw/node': mswNode,
    vitest,
  }

  describe('docs/start/test-that-pays.md:', () =>
    runProgram(program('docs/start/test-that-pays.md', 'payments.test.js'), MODULES))

  test('docs/reference/embedding.md: the program without a port prints its documented output', async () => {
    const print = vi.spyOn(console, 'log').mockReturnValue()
    await runProgram(program('docs/reference/embedding.md', 'in-process.js'), MODULES)
    expect(print.mock.calls).toEqual([[200, []]])
    print.mockRestore()
  })

  for (const name of ['orders.test.js', 'fixtures.test.js', 'network.test.js'])
    describe(`docs/reference/test-kit.md, ${name}:`, () =>
      runProgram(program('docs/reference/test-kit.md', name), MODULES))

  test('docs/reference/client.md: the program that pays prints its documented output', async () => {
    const print = vi.spyOn(console, 'log').mockReturnValue()
    await runProgram(program('docs/reference/client.md', 'orders.js'), MODULES)
    expect(print.mock.calls).toEqual([
      ['A100', 'approved'],
      [true, 129, 'Payment declined'],
      [expect.stringMatching(/CVV/)],
    ])
    print.mockRestore()
  })

  test('docs/reference/control.md: the program that moves the clock prints its documented output', async () => {
    const print = vi.spyOn(console, 'log').mockReturnValue()
    await runProgram(program('docs/reference/control.md', 'clock.js'), MODULES)
    expect(print.mock.calls).toEqual([['2026-02-28T00:00:00.000Z', [], true]])
    print.mockRestore()
  })
})
