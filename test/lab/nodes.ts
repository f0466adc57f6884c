/**
 * `npm run lab -- nodes`: tests supported versions of Node. The built gateway must start, accept a
 * payment and stop on the oldest supported Node and on the newest Node, and print the required
 * version on a Node that is too old. Node 20 must load the library as a module and by `require`,
 * because shops also load it on servers that render pages. Each Node comes from the npm package
 * `node`, in a folder that is deleted at the end.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCurl, runCurl } from '../helpers/banner.ts'
import { startProgram } from '../helpers/program.ts'

const { engines } = JSON.parse(
  readFileSync(new URL('../../mock-gateway/package.json', import.meta.url), 'utf8'),
)
const LOWEST = `${engines.node.replace('>=', '')}.0`
const LAUNCHER = 'mock-gateway/launcher.cjs'

/**
 * Downloads a Node.
 * @returns the path of the program, and its version
 */
async function fetchNode(
  folder: string,
  version: string,
): Promise<{ node: string; found: string }> {
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, allowScripts: { node: true } }),
  )
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', `node@${version}`], {
    cwd: folder,
  })
  const node = join(folder, 'node_modules', '.bin', 'node')
  return { node, found: execFileSync(node, ['--version'], { encoding: 'utf8' }).trim() }
}

/**
 * Starts the gateway, pays and stops it.
 * @throws Error that names the failed step
 */
async function startPayStop(node: string): Promise<string> {
  const program = startProgram(LAUNCHER, ['--memory', '--port', '0'], {}, node)
  await program.printed(/^curl /)
  const { status, body } = await runCurl(readCurl(program.output()))
  const exitCode = await program.stop()
  if (status !== 200 || body.status !== 'approved' || exitCode !== 0)
    throw new Error(
      `The payment: ${status} ${JSON.stringify(body)}; exit code ${exitCode}\n${program.output()}`,
    )
  return 'started, took a payment, stopped'
}

async function refuse(node: string): Promise<string> {
  const program = startProgram(LAUNCHER, ['--memory', '--port', '0'], {}, node)
  const exitCode = await program.ended
  if (exitCode !== 1 || !/needs Node \S+ or newer; this is Node/.test(program.output()))
    throw new Error(`Exit code ${exitCode}\n${program.output()}`)
  return `said: ${program.output().trim()}`
}

/** Loads the package of the library in each way that its `exports` support. */
async function loadLibrary(node: string): Promise<string> {
  const code = `Promise.all([import('mondido-js'), require('mondido-js')]).then((loaded) => {
    for (const { createMondido, version } of loaded) if (typeof createMondido !== 'function' || !version) process.exit(1)
  })`
  execFileSync(node, ['-e', code], { stdio: 'inherit' })
  return 'loaded the library by import and by require'
}

const both = async (node: string) => `${await startPayStop(node)}, ${await loadLibrary(node)}`
const libraryOnly = async (node: string) =>
  `${await loadLibrary(node)}; the gateway ${await refuse(node)}`

let failures = 0
for (const [version, expected] of [
  [LOWEST, both],
  ['latest', both],
  ['20', libraryOnly],
  ['6', refuse],
] as const) {
  const folder = await mkdtemp(join(tmpdir(), 'mondido-node-'))
  try {
    const { node, found } = await fetchNode(folder, version)
    process.stdout.write(`Node ${found} `)
    process.stdout.write(`${await expected(node)}\n`)
  } catch (error) {
    failures += 1
    process.stdout.write(`node@${version} FAILED: ${(error as Error).message}\n`)
  } finally {
    await rm(folder, { recursive: true })
  }
}
process.exitCode = failures ? 1 : 0
