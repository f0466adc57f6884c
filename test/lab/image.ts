/**
 * `npm run lab -- image`: tests the container image, as root on Debian with buildah and mmdebstrap.
 * It builds the Dockerfile on a base image that it creates (Debian, the project's Node, npm), runs
 * the image as its user on a read-only file system, pays, runs the health check, and stops the
 * gateway.
 */
import { execFileSync, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCurl, runCurl } from '../helpers/banner.ts'
import { freePort } from '../setup/free-port.ts'

const folder = mkdtempSync(join(tmpdir(), 'mondido-image-'))
const at = (...path: readonly string[]) => join(folder, ...path)
const print = (line: string) => void process.stdout.write(`${line}\n`)

/**
 * Runs a program to its end.
 * @returns its output
 * @throws Error with its error output
 */
const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 26,
  }).trim()
const store = ['--root', at('store'), '--runroot', at('run'), '--storage-driver', 'vfs']
const buildah = (...args: readonly string[]) => run('buildah', ...store, ...args)

/** Configuration of the image, as its Dockerfile defines it. */
interface Config {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Healthcheck: { readonly Test: readonly string[] }
}

function makeBase() {
  run(
    'mmdebstrap',
    '--variant=minbase',
    '--include=ca-certificates,libstdc++6',
    'bookworm',
    at('base.tar'),
  )
  const base = buildah('from', 'scratch')
  const npm = join(process.env.npm_execpath ?? '', '..', '..')
  buildah('add', base, at('base.tar'), '/')
  buildah('copy', base, process.execPath, '/usr/local/bin/node')
  buildah('copy', base, npm, '/usr/local/lib/node_modules/npm')
  const tree = buildah('mount', base)
  run('ln', '-sf', '../lib/node_modules/npm/bin/npm-cli.js', join(tree, 'usr/local/bin/npm'))
  buildah('umount', base)
  buildah('commit', '--rm', base, 'node-base')
}

async function buildImage(): Promise<Config> {
  const flagsOfGit = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const paths = run('git', ...flagsOfGit)
    .split('\0')
    .filter(existsSync)
  for (const path of paths) cpSync(path, at('source', path))
  const npmrc = run('npm', 'config', 'get', 'userconfig')
  const cache = run('npm', 'config', 'get', 'cache')
  const flags = [
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--build-arg',
    'BASE=localhost/node-base',
  ]
  const places = ['--volume', `${npmrc}:/root/.npmrc:ro`, '--volume', `${cache}:/root/.npm`]
  const file = at('source', 'mock-gateway', 'Dockerfile')
  const ignore = ['--ignorefile', `${file}.dockerignore`]
  buildah(
    'bud',
    ...flags,
    ...places,
    ...ignore,
    '--file',
    file,
    '--tag',
    'mondido-gateway',
    at('source'),
  )
  return JSON.parse(buildah('inspect', '--type', 'image', 'localhost/mondido-gateway')).Docker
    .config
}

/**
 * Mounts the files of the container read-only, except its volume.
 * @returns a function that unmounts them
 */
function mountTree(): () => void {
  const tree = buildah('mount', buildah('from', 'localhost/mondido-gateway'))
  print(`the gateway in it: ${run('du', '-sm', join(tree, 'opt')).split('\t')[0]} MB`)
  mkdirSync(at('tree'))
  const mounts = [at('tree'), at('tree', 'data'), at('tree', 'proc')]
  run('mount', '--bind', tree, at('tree'))
  run('mount', '-o', 'remount,bind,ro', at('tree'))
  run('mount', '-t', 'tmpfs', '-o', 'uid=1000,gid=1000', 'data', at('tree', 'data'))
  run('mount', '--bind', '/proc', at('tree', 'proc'))
  return () => void mounts.toReversed().map((path) => run('umount', '--lazy', path))
}

async function startPayStop({ User, Env, Entrypoint, Healthcheck }: Config) {
  const merchants = [{ id: 7, password: 'of-the-image', secret: 'of-the-image' }]
  writeFileSync(at('tree', 'data', 'merchants.json'), JSON.stringify(merchants), { mode: 0o644 })
  const port = String(await freePort())
  const env = [...Env, `PORT=${port}`]
  const inside = (command: readonly string[]) => [
    `--userspec=${User}`,
    at('tree'),
    '/usr/bin/env',
    '-i',
    ...env,
    ...command,
  ]
  const [kind, ...check] = Healthcheck.Test
  if (kind !== 'CMD') throw new Error(`The health check needs a shell: ${kind}`)
  const asked = () => spawn('chroot', inside(check), { stdio: 'ignore' })
  const [before] = await once(asked(), 'exit')
  if (before !== 1) throw new Error(`The health check of nothing ended with ${before}`)

  const gateway = spawn('chroot', inside([...Entrypoint, '--merchants', '/data/merchants.json']))
  let output = ''
  for (const stream of [gateway.stdout, gateway.stderr])
    stream.on('data', (text) => (output += text))
  const ended = once(gateway, 'exit')
  try {
    for (let tries = 0; (await once(asked(), 'exit'))[0] !== 0; tries += 1)
      if (tries === 50) throw new Error(`The health check stays red:\n${output}`)
    const order = '7image10.00sektestof-the-image'
    const paidHash = hash('md5', order)
    const card = 'card_number=4111111111111111&card_holder=Kim&card_expiry=1235&card_cvv=200'
    const body = `amount=10.00&currency=sek&payment_ref=image&test=true&hash=${paidHash}&${card}`
    const line = `curl -u 7:of-the-image 'http://localhost:${port}/v1/transactions' -d '${body}'`
    const paid = await runCurl(readCurl(line))
    if (paid.body.status !== 'approved') throw new Error(JSON.stringify(paid))
    const written = readdirSync(at('tree', 'data'))
    if (!written.includes('gateway.db')) throw new Error(`/data has ${written}`)
  } finally {
    gateway.kill('SIGTERM')
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`It ended with ${code}\n${output}`)
  print(`as ${User}, on a read-only tree: healthy, took a payment, stopped`)
}

let release = () => {}
try {
  makeBase()
  const config = await buildImage()
  release = mountTree()
  await startPayStop(config)
} finally {
  release()
  try {
    buildah('rm', '--all')
  } catch {}
  rmSync(folder, { recursive: true, force: true })
}
