import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import gateway from '../../../mock-gateway/package.json' with { type: 'json' }
import repository from '../../../package.json' with { type: 'json' }
import project from '../../../sdk/package.json' with { type: 'json' }
import { complaints, typeProblems, useShop } from './packed.ts'

const shop = useShop('mondido-js')

test('the package is built when it is packed, and carries nothing needless', () => {
  expect(globSync('{LICENSE,**/*.*}', { cwd: shop.installed }).sort()).toEqual([
    'LICENSE',
    'README.md',
    'dist/index.d.cts',
    'dist/index.d.ts',
    'dist/mondido-advice.js',
    'dist/mondido.cjs',
    'dist/mondido.esm.js',
    'dist/mondido.js',
    'dist/mondido.min.js',
    'dist/mondido.min.js.map',
    'dist/umd/mondido.js',
    'dist/umd/package.json',
    'docs/library.md',
    'package.json',
  ])
})

test('it has the version of the other package, and of the repository', () =>
  expect([gateway.version, repository.version]).toEqual([project.version, project.version]))

test('it needs no other package, and no Node of its own', async () => {
  const { packages } = JSON.parse(await readFile(join(shop.folder, 'package-lock.json'), 'utf8'))
  expect(Object.keys(packages)).toEqual(['', 'node_modules/mondido-js'])
  for (const each of ['dependencies', 'engines', 'bin'])
    expect(packages['node_modules/mondido-js']).not.toHaveProperty(each)
})

describe('the library is there for', () => {
  test.each([
    ['import', 'library.mjs', "import { card, version } from 'mondido-js'"],
    ['require', 'library.cjs', "const { card, version } = require('mondido-js')"],
  ])('%s', async (_how, name, line) =>
    expect(await shop.runFile(name, `${line}\nconsole.log(version, typeof card)`)).toBe(`${project.version} object`),
  )
})

const TYPED = `import { createMondido, type MondidoOptions } from 'mondido-js'
const options: MondidoOptions = { type: 'ajax' }
export const mount = (form: HTMLFormElement) => createMondido(form, options)
// @ts-expect-error
createMondido(7)
`

test(
  'the types are there for TypeScript, whichever way it resolves',
  async () => expect(await typeProblems(shop, 'library', TYPED)).toBe(''),
  60_000,
)

test('publint and attw find nothing wrong with it', async () => expect(await complaints(shop)).toEqual([]))
