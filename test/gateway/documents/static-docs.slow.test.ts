import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeStaticDocs } from '../../../build/static-docs.ts'
import { memoized } from '../../../mock-gateway/domain/memoized.ts'

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
