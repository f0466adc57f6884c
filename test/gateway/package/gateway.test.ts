import { execFile, execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import project from '../../../package.json' with { type: 'json' }
import { readCurl, runCurl } from '../../helpers/banner.ts'
import { startProgram } from '../../helpers/program.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const run = promisify(execFile)

/** Holds the package, installed in `shop`, and where it was packed for this, `source`, a fresh copy of the project. */
let folder: string
let shop: string
let files: readonly string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-'))
  shop = join(folder, 'shop')
  await mkdir(shop)
  const packed = process.env.PACKED ?? (await packCopy())
  const [file = ''] = (await readdir(packed)).filter((name) => name.endsWith('.tgz'))
  await writeFile(join(shop, 'package.json'), '{ "private": true }')
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  await run('npm', ['install', ...flags, join(packed, file)], { cwd: shop })
  await mkdir(join(shop, 'node_modules', '@types'))
  for (const name of ['@types/node', '@types/jquery'])
    await symlink(join(root, 'node_modules', name), join(shop, 'node_modules', name))
  files = globSync('**/*.*', { cwd: join(shop, 'node_modules', project.name) })
}, 240_000)
afterAll(() => rm(folder, { recursive: true }))

/** Packs as `npm test` has done, with nothing but what a clone would hold. @returns the folder of the package */
async function packCopy(): Promise<string> {
  const source = join(folder, 'source')
  await copyProject(source)
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  return folder
}

/** What a clone would hold, with the packages that are installed here. */
async function copyProject(target: string) {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const kept = listed
    .toString()
    .split('\0')
    .filter((path) => /^(sdk|mock-gateway|[^/]+$)/.test(path))
  for (const path of kept) {
    await mkdir(join(target, dirname(path)), { recursive: true })
    await cp(join(root, path), join(target, path)).catch(ignoreRemoved)
  }
  await symlink(join(root, 'node_modules'), join(target, 'node_modules'))
}

/** Git still lists a file that was removed and not committed. */
function ignoreRemoved(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}

test('the package is built when it is packed, and carries nothing needless', () => {
  for (const path of ['dist/launcher.cjs', 'dist/cli.js', 'dist/gateway.js', 'dist/sdk/mondido.min.js', 'README.md'])
    expect(files).toContain(path)
  expect(files.filter((path) => /\.[cm]?ts$/.test(path))).toEqual([
    'dist/gateway.d.ts',
    'dist/sdk/index.d.cts',
    'dist/sdk/index.d.ts',
  ])
  expect(files.filter((path) => path.includes('umd'))).toHaveLength(1)
  // Every view of a page is a file.
  expect(files.filter((path) => !path.endsWith('.liquid')).length).toBeLessThan(50)
})

test('it brings all that it runs on, with the licences, and needs no other package', async () => {
  const { packages } = JSON.parse(await readFile(join(shop, 'package-lock.json'), 'utf8'))
  expect(packages['node_modules/mondido-js']).not.toHaveProperty('dependencies')
  const licences = await readFile(join(shop, 'node_modules/mondido-js/dist/LICENSES.txt'), 'utf8')
  for (const name of ['bowser', 'express', 'kysely', 'liquidjs', 'node-forge', 'nodemailer', 'pg', 'pino', 'zod'])
    expect(licences).toMatch(new RegExp(`^${name} \\d[\\d.]* \\(.+\\)$`, 'm'))
})

test('its command starts, takes a payment and stops', async () => {
  const command = join(shop, 'node_modules', '.bin', 'mondido-gateway')
  expect((await run(command, ['--version'])).stdout.trim()).toBe(project.version)
  const program = startProgram(command, ['--memory', '--port', '0'])
  await program.printed(/^curl /)
  expect(await runCurl(readCurl(program.output()))).toMatchObject({ status: 200, body: { status: 'approved' } })
  expect(await program.stop()).toBe(0)
})

/** Runs a file of the shop's. @returns what it prints */
async function runIn(name: string, code: string): Promise<string> {
  await writeFile(join(shop, name), code)
  return (await run(process.execPath, [name], { cwd: shop })).stdout.trim()
}

const ASK_GATEWAY = `createGateway().then(async (gateway) => {
  const login = { headers: { authorization: 'Basic ' + btoa('1:custom00') } }
  const answer = await gateway.handle(new Request('http://localhost:4400/v1/transactions', login))
  console.log(answer.status, typeof gateway.app)
  await gateway.close()
})`

describe('the gateway is there for', () => {
  test.each([
    ['import', 'gateway.mjs', "import { createGateway } from 'mondido-js/gateway'"],
    ['require', 'gateway.cjs', "const { createGateway } = require('mondido-js/gateway')"],
  ])('%s', async (_how, name, line) => expect(await runIn(name, `${line}\n${ASK_GATEWAY}`)).toBe('200 function'))
})

describe('the library is there for', () => {
  test.each([
    ['import', 'library.mjs', "import { card, version } from 'mondido-js'"],
    ['require', 'library.cjs', "const { card, version } = require('mondido-js')"],
  ])('%s', async (_how, name, line) =>
    expect(await runIn(name, `${line}\nconsole.log(version, typeof card)`)).toBe(`${project.version} object`),
  )
})

/** How TypeScript looks for packages; `node10` it will stop knowing with version 7. */
const RESOLUTIONS = {
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
  nodenext: { module: 'nodenext' },
  node10: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
}

type Resolution = keyof typeof RESOLUTIONS

/** Checks files of the shop's for each way. @returns what TypeScript has to say of them and of the package's types */
async function check(code: Readonly<Record<Resolution, Readonly<Record<string, string>>>>): Promise<string> {
  for (const [name, resolution] of Object.entries(RESOLUTIONS)) {
    await mkdir(join(shop, name))
    const options = { target: 'es2023', strict: true, noEmit: true, types: ['node', 'jquery'], ...resolution }
    const all = { ...code[name as Resolution], 'options.json': JSON.stringify(options) }
    for (const [file, text] of Object.entries(all)) await writeFile(join(shop, name, file), text)
  }
  const program = fileURLToPath(new URL('../../helpers/check-types.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [program, `node_modules/${project.name}`, ...Object.keys(code)], {
    cwd: shop,
  })
  return stdout
}

const USE_GATEWAY = `import { createServer } from 'node:http'
import { createGateway, type Gateway, type MerchantSeed } from 'mondido-js/gateway'
const merchant: MerchantSeed = { id: 7, password: 'hush-hush', secret: 'topsecret', settings: { live_cards: 'refuse' } }
export const started: Promise<Gateway> = createGateway({ merchants: [merchant] })
started.then(({ app }) => createServer(app))
// @ts-expect-error
createGateway({ merchants: 7 })
`

const USE_LIBRARY = `import { createMondido, type MondidoOptions } from 'mondido-js'
const options: MondidoOptions = { type: 'ajax' }
export const mount = (form: HTMLFormElement) => createMondido(form, options)
// @ts-expect-error
createMondido(7)
`

const IN_SCRIPT = { 'gateway.ts': USE_GATEWAY, 'library.ts': USE_LIBRARY }
const IN_MODULES = {
  'gateway.mts': USE_GATEWAY,
  'gateway.cts': USE_GATEWAY,
  'library.mts': USE_LIBRARY,
  'library.cts': USE_LIBRARY,
}

test('the types are there for TypeScript, whichever way it resolves', async () => {
  expect(await check({ bundler: IN_SCRIPT, nodenext: IN_MODULES, node10: IN_SCRIPT })).toBe('')
}, 60_000)
