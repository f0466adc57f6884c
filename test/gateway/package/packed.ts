import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
export const run = promisify(execFile)

/** True on Windows, where npm is a command file, which only a shell can start. */
const shell = process.platform === 'win32'

/** Project of a user with one packed package. */
export interface Shop {
  /** Folder of the project. */
  readonly folder: string
  /** File with the packed package. */
  readonly tarball: string
  /** Folder of the installed package. */
  readonly installed: string
  /**
   * Runs a file of the project.
   * @returns the output
   */
  runFile(name: string, code: string): Promise<string>
}

/**
 * Installs a package of this repository in an empty project without a network, before the tests of
 * a file.
 */
export function useShop(name: 'mondido-js' | 'mondido-gateway'): Shop {
  let folder = ''
  let tarball = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'packed-'))
    const packed = process.env.PACKED
    if (packed === undefined)
      throw new Error('Run npm run test:all, or set PACKED to the folder of npm run packages.')
    const [file = ''] = (await readdir(packed)).filter(
      (each) => each.startsWith(name) && each.endsWith('.tgz'),
    )
    tarball = join(packed, file)
    await mkdir(join(folder, 'shop'))
    await writeFile(join(folder, 'shop', 'package.json'), '{ "private": true }')
    const flags = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
    await run('npm', ['install', ...flags, tarball], { cwd: join(folder, 'shop'), shell })
    await linkPackages(join(folder, 'shop'), ['@types/node', '@types/jquery'])
  }, 240_000)
  afterAll(() => rm(folder, { recursive: true }))

  return {
    get folder() {
      return join(folder, 'shop')
    },
    get tarball() {
      return tarball
    },
    get installed() {
      return join(folder, 'shop', 'node_modules', name)
    },
    async runFile(file, code) {
      await writeFile(join(folder, 'shop', file), code)
      return (await run(process.execPath, [file], { cwd: join(folder, 'shop') })).stdout.trim()
    },
  }
}

/** Adds packages of this repository to a project, as links. */
export async function linkPackages(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(join(root, 'node_modules', name), link, 'junction')
  }
}

/** Module resolutions of TypeScript. TypeScript 7 drops `node10`. */
const RESOLUTIONS = {
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  nodenext: { module: 'nodenext' },
  node10: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
}

/**
 * Checks a program with TypeScript, for each module resolution.
 * @param name name of the program's file, without its extension
 * @returns TypeScript's errors in the program and in the package's types
 */
export async function typeProblems(shop: Shop, name: string, code: string): Promise<string> {
  for (const [way, resolution] of Object.entries(RESOLUTIONS)) {
    await mkdir(join(shop.folder, way), { recursive: true })
    const options = {
      target: 'es2023',
      strict: true,
      noEmit: true,
      types: ['node', 'jquery'],
      ...resolution,
    }
    await writeFile(join(shop.folder, way, 'options.json'), JSON.stringify(options))
    for (const ending of way === 'nodenext' ? ['mts', 'cts'] : ['ts'])
      await writeFile(join(shop.folder, way, `${name}.${ending}`), code)
  }
  const program = fileURLToPath(new URL('../../helpers/check-types.ts', import.meta.url))
  return (
    await run(process.execPath, [program, shop.installed, ...Object.keys(RESOLUTIONS)], {
      cwd: shop.folder,
    })
  ).stdout
}

/**
 * Returns the problems that publint and attw find in a packed package.
 * @param allowed kinds of intended problems, of all entries or of one, as `./react NoResolution`
 */
export async function complaints(
  shop: Shop,
  allowed: readonly string[] = [],
): Promise<readonly string[]> {
  const bytes = new Uint8Array(await readFile(shop.tarball))
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, level: 'warning' })
  const analysis = await checkPackage(createPackageFromTarballData(bytes))
  const problems = analysis.types === false ? [{ kind: 'no types' }] : analysis.problems
  return [
    ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
    ...problems
      .filter(({ kind, ...problem }) => {
        const entry = 'entrypoint' in problem ? problem.entrypoint : ''
        return !allowed.includes(kind) && !allowed.includes(`${entry} ${kind}`)
      })
      .map((problem) => JSON.stringify(problem)),
  ]
}
