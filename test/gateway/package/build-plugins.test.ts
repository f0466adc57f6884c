import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { carryDocuments, unlinkMissing } from '../../../build/carry-documents.ts'
import { billOfMaterials, licenceTexts } from '../../../build/provenance.ts'
import { runtimeFiles } from '../../../build/runtime-files.ts'

test.each([
  [
    '[API](../reference/api.md#errors) and [plan](api.md)',
    '[API](../reference/api.md#errors) and plan',
  ],
  [
    '[site](https://example.com) and [above](#top)',
    '[site](https://example.com) and [above](#top)',
  ],
  ['![shop](shop.png)', '![shop](shop.png)'],
])('a package links only to pages that it contains: %s', (markdown, expected) =>
  expect(unlinkMissing(markdown, 'docs/start/first.md', new Set(['docs/reference/api.md']))).toBe(
    expected,
  ),
)

test('documents are copied into the package under their own paths', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carry-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'docs'))
  carryDocuments(folder, ['LICENSE', 'docs/reference/library.md']).buildStart()
  expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'))
  expect(readFileSync(join(folder, 'docs/reference/library.md'), 'utf8')).toMatch(
    /^# The browser library\n/,
  )
})

test('the build emits the views of the pages and both OpenAPI documents', () => {
  const emitted: string[] = []
  const context = { emitFile: ({ fileName }: { fileName: string }) => emitted.push(fileName) }
  Reflect.apply(Object(runtimeFiles().generateBundle), context, [])
  expect(emitted).toEqual(
    expect.arrayContaining(['contract/openapi.json', 'contract/control.json']),
  )
  expect(emitted.some((name) => name.endsWith('.css'))).toBe(true)
})

const PACKAGES = [
  { name: '@scope/one', version: '1.2.3', license: 'MIT', text: 'Do as you like.' },
  { name: 'two', version: '0.1.0', license: 'ISC', text: '' },
]

test('the licences of the bundled packages are in one text', () => {
  const [one, two] = licenceTexts(PACKAGES).split(/\n\n-{80}\n\n/)
  expect([one, two]).toEqual(['@scope/one 1.2.3 (MIT)\n\nDo as you like.', 'two 0.1.0 (ISC)\n'])
})

test('the bill of materials names each bundled package by its package URL', () => {
  const { metadata, components } = billOfMaterials(
    { name: 'mondido-gateway', version: '2.0.0' },
    PACKAGES,
  )
  expect(metadata.component.purl).toBe('pkg:npm/mondido-gateway@2.0.0')
  expect(components.map(({ purl, licenses }) => [purl, licenses])).toEqual([
    ['pkg:npm/%40scope/one@1.2.3', [{ expression: 'MIT' }]],
    ['pkg:npm/two@0.1.0', [{ expression: 'ISC' }]],
  ])
})
