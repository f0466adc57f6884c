import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const source = join(root, 'mock-gateway', 'launcher.cjs')

/** Folder with the launcher of the package, and a command that only reports that it was reached. */
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'launcher-'))
  await mkdir(join(folder, 'dist'))
  await cp(source, join(folder, 'launcher.cjs'))
  await cp(join(root, 'mock-gateway', 'package.json'), join(folder, 'package.json'))
  await writeFile(
    join(folder, 'dist', 'cli.js'),
    "export const main = () => console.log('started')",
  )
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs the launcher on a Node that reports this version. */
async function launchedOn(version: string) {
  const other = join(folder, `${version}.cjs`)
  await writeFile(
    other,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
  )
  return new Promise<{ exitCode: number | null; output: string; error: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--require', other, join(folder, 'launcher.cjs')],
      (_, output, error) => resolve({ exitCode: child.exitCode, output, error }),
    )
  })
}

test.each(['0.10.48', '8.17.0', '20.20.2', '24.1.0'])(
  'Node %s gets a message with the required version',
  async (version) => {
    const { exitCode, output, error } = await launchedOn(version)
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' })
    expect(error).toMatch(
      new RegExp(
        `^mondido-gateway needs Node 24\\.2 or newer; this is Node ${version} \\(.+\\)\\. Get one from .+ npm install node@24\\.\\n$`,
      ),
    )
  },
)

test.each(['24.2.0', '24.10.0', '25.0.0', '100.1.0'])('Node %s starts', async (version) =>
  expect(await launchedOn(version)).toEqual({ exitCode: 0, output: 'started\n', error: '' }),
)
