// @vitest-environment node
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mondido-types-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the compiler; gives what it objects to. */
function compile(...args: string[]): string {
  try {
    return execFileSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    return String(Object(error).stdout)
  }
}

test('a merchant’s page compiles against the published types, and its mistakes do not', { timeout: 60_000 }, () => {
  expect(compile('-p', join(root, 'sdk/tsconfig.types.json'), '--outDir', folder)).toBe('')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const page = readFileSync(join(root, 'test/sdk/types/page.ts'), 'utf8')
  writeFileSync(join(folder, 'page.mts'), page.replace('../../../sdk/index.ts', './sdk/index.js'))
  const settings = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', 'jquery']
  expect(compile(...settings, '--skipLibCheck', 'false', 'page.mts')).toBe('')
})
