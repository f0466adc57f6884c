import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf, DOCUMENTS, inRepository, read } from '../../helpers/documents.ts'

/** Returns the anchor of a heading on the pages of a repository. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

const anchors = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

describe('every link has a target:', () => {
  for (const document of DOCUMENTS)
    test(document, () => {
      const targets = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(
        ([, target = '']) => target,
      )
      const dead = targets.filter((target) => {
        if (/^https?:/.test(target)) return false
        const [path = '', anchor] = target.split('#')
        const file = path ? join(dirname(document), path) : document
        if (!existsSync(inRepository(file))) return true
        return anchor !== undefined && !anchors(file).includes(anchor)
      })
      expect(dead).toEqual([])
    })
})

test('README or the index of the guides leads to every document', () => {
  const index = read('docs/index.md').replaceAll('](', '](docs/').replaceAll('](docs/../', '](')
  const leading = read('README.md') + index
  const unknown = DOCUMENTS.slice(1).filter(
    (document) => !leading.includes(`(${document})`) && !leading.includes(`(${document}#`),
  )
  expect(unknown).toEqual([])
})

test('the index describes each guide on one line', () => {
  const guides = read('docs/index.md').match(/^\* .*$/gm) ?? []
  expect(guides.length).toBeGreaterThan(40)
  for (const guide of guides)
    expect(guide).toMatch(/^\* \[[^\]]+\]\([a-z/\w-]+\.md\): [A-Zv].{10,100}$/)
})

test('the page of docs/start/checkout-page.md is the page of README', () => {
  const [readme] = blocksOf('README.md').filter(({ language }) => language === 'html')
  const [guide] = blocksOf('docs/start/checkout-page.md').filter(
    ({ language }) => language === 'html',
  )
  expect(guide?.code).toBe(`<!-- checkout.html -->\n${readme?.code}`)
})

test('README fits on one screen', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(90)
})

test('CHANGELOG has at most 60 entries for a version', () => {
  const [, ...versions] = read('CHANGELOG.md').split(/^## /m)
  expect(versions.length).toBeGreaterThan(0)
  for (const version of versions) expect(version.match(/^\* /gm)?.length).toBeLessThanOrEqual(60)
})

test('the speed table of README has the form that `npm run bench -- readme` writes, and each row names a benchmark', () => {
  const [, table = ''] = /\n## How fast\n\n([\s\S]*?)\n\n/.exec(read('README.md')) ?? []
  const [head = '', , ...rows] = table.split('\n')
  expect(head).toMatch(/^\| Measured on 20\d\d-\d\d-\d\d \| Compared with \|/)
  const row = /^\| [^|]+ \| [^|]+ \| \d+\.\d+(?: \(\d+\.\d to \d+\.\d\))? \| `(\w+)` \|$/
  const parts = read('test/lab/bench/run.ts')
  expect(rows.filter((each) => !parts.includes(`  ${row.exec(each)?.[1]}: measure`))).toEqual([])
  expect(rows.length).toBeGreaterThan(4)
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
