import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isStale } from '../../../examples/build.ts'
import { programEnv } from '../../helpers/program.ts'
import { freePort } from '../../setup/free-port.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Returns true while a process of the group exists. */
function lives(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    return false
  }
}

/**
 * Runs an npm script in its own process group, and stops npm, or the whole group, after `ready` was
 * printed.
 */
async function stopNpm(script: string, ready: RegExp, signal: NodeJS.Signals, whom: 'npm' | 'all') {
  const env = {
    ...programEnv(),
    SHOP_PORT: String(await freePort()),
    DEV_PORT: String(await freePort()),
  }
  const port = String(await freePort())
  const args = ['run', script, '--', '--memory', '--port', port]
  const npm = spawn('npm', args, { cwd: root, env, detached: true })
  const group = npm.pid as number
  try {
    let output = ''
    for (const stream of [npm.stdout, npm.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text))
    while (!ready.test(output)) await once(npm.stdout, 'data')
    process.kill(whom === 'npm' ? group : -group, signal)
    await once(npm, 'exit')
    await expect.poll(() => lives(group)).toBe(false)
    return { output, port }
  } finally {
    if (lives(group)) process.kill(-group, 'SIGKILL')
  }
}

const ENDS = [
  ['npm start', 'start', 'npm', 'SIGTERM'],
  ['npm run dev', 'dev', 'npm', 'SIGTERM'],
  ['npm start by Ctrl-C', 'start', 'all', 'SIGINT'],
] as const

test.for(ENDS)(
  '%s (script %s) accepts its flags, and leaves no process behind when %s gets %s',
  async ([, script, whom, signal]) => {
    const { output, port } = await stopNpm(script, /^Open http/m, signal, whom)
    if (script === 'start')
      expect(output).toMatch(/Starting the gateway.*npm start -- --port 4500\n.*REST API/s)
    expect(output).toContain(`http://localhost:${port}/v1`)
    expect(output).not.toMatch(/^\s+at /m)
  },
)

describe('npm start builds the library', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stale-'))
    await mkdir(join(folder, 'sdk/card'), { recursive: true })
    for (const [name, at] of [
      ['sdk/card/luhn.ts', 1000],
      ['sdk', 1000],
      ['sdk/card', 1000],
      ['built.js', 2000],
    ] as const)
      await writeAt(name, at)
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** Sets the time of a file or folder to `at` in seconds. A file is created first. */
  async function writeAt(name: string, at: number) {
    if (name.includes('.')) await writeFile(join(folder, name), '')
    await utimes(join(folder, name), at, at)
  }
  const stale = () => isStale(folder, 'built.js', ['sdk', 'sdk/**'])

  test('but not again if nothing has changed', () => expect(stale()).toBe(false))
  test('if it is missing', async () => {
    await rm(join(folder, 'built.js'))
    expect(stale()).toBe(true)
  })
  test('if a source is newer', async () => {
    await writeAt('sdk/card/luhn.ts', 3000)
    expect(stale()).toBe(true)
  })
  test('if a source was deleted', async () => {
    await rm(join(folder, 'sdk/card/luhn.ts'))
    expect(stale()).toBe(true)
  })
})

test('every script begins with the name of a program, which each system’s shell can run', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  for (const script of Object.values<string>(scripts))
    expect(script).toMatch(/^(node|npm|biome|tsc|rollup|rolldown|vitest) /)
})
