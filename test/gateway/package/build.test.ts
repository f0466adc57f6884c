import type { RollupOptions } from 'rollup'
import { expect, test } from 'vitest'
import { createBillOfMaterials, licenceTexts } from '../../../build/licences.ts'
import { unlinkMissing } from '../../../build/package-files.ts'
import project from '../../../package.json' with { type: 'json' }
import { inRepository } from '../../helpers/documents.ts'

test('the project uses the packages that its users asked for', () =>
  expect(Object.keys(project.devDependencies)).toEqual(
    expect.arrayContaining([
      '@rollup/plugin-typescript',
      'express',
      'happy-dom',
      'jquery',
      'msw',
      'node-forge',
      'rollup',
      'vite',
      'vitest',
    ]),
  ))

test('rollup builds every file of the library, with @rollup/plugin-typescript', async () => {
  expect(project.scripts['build:library']).toMatch(/ rollup -c --silent$/)
  const config: { default: RollupOptions[] } = await import(inRepository('rollup.config.mjs'))
  expect(config.default.length).toBeGreaterThan(0)
  for (const { plugins } of config.default)
    expect(plugins).toEqual([expect.objectContaining({ name: 'typescript' })])
})

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

const PACKAGES = [
  { name: '@scope/one', version: '1.2.3', license: 'MIT', text: 'Do as you like.' },
  { name: 'two', version: '0.1.0', license: 'ISC', text: '' },
]

test('the licences of the bundled packages are in one text', () => {
  const [one, two] = licenceTexts(PACKAGES).split(/\n\n-{80}\n\n/)
  expect([one, two]).toEqual(['@scope/one 1.2.3 (MIT)\n\nDo as you like.', 'two 0.1.0 (ISC)\n'])
})

test('the bill of materials names each bundled package by its package URL', () => {
  const { metadata, components } = createBillOfMaterials(
    { name: 'mondido-gateway', version: '2.0.0' },
    PACKAGES,
  )
  expect(metadata.component.purl).toBe('pkg:npm/mondido-gateway@2.0.0')
  expect(components.map(({ purl, licenses }) => [purl, licenses])).toEqual([
    ['pkg:npm/%40scope/one@1.2.3', [{ expression: 'MIT' }]],
    ['pkg:npm/two@0.1.0', [{ expression: 'ISC' }]],
  ])
})
