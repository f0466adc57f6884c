import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { link } from '../../../build/link.ts'
import library from '../../../sdk/package.json' with { type: 'json' }

let folder = ''
const NAMES = ['mondido-js', 'mondido-gateway']
const read = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'))

/** Packs packages with the names of ours. */
function pack(text: string): void {
  for (const name of NAMES) {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(
      join(folder, name, 'package.json'),
      JSON.stringify({ name, version: library.version, text }),
    )
    execFileSync('npm', ['pack', '--silent', '--pack-destination', '..'], {
      cwd: join(folder, name),
    })
  }
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'link-'))
  mkdirSync(join(folder, 'shop'))
  writeFileSync(join(folder, 'shop/package.json'), '{ "private": true }')
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('npm run link', () => {
  const run = (agent?: string) => link(join(folder, 'shop'), folder, agent)

  test('installs both packages, which stay after npm install', () => {
    pack('first')
    expect(run()[0]).toMatch(/^Installed mondido-js .* mondido-gateway/)
    execFileSync('npm', ['install', '--offline', '--silent'], { cwd: join(folder, 'shop') })
    const { dependencies, devDependencies } = read('shop/package.json')
    expect([dependencies, devDependencies].map(Object.keys)).toEqual(NAMES.map((name) => [name]))
    for (const name of NAMES)
      expect(read(`shop/node_modules/${name}/package.json`).text).toBe('first')
  })

  test('installs a changed package of the same version', () => {
    pack('second')
    run()
    for (const name of NAMES)
      expect(read(`shop/node_modules/${name}/package.json`).text).toBe('second')
  })

  test('names the Node that the gateway needs, to a user of an older one', () => {
    expect(run('npm/10.8.2 node/v20.20.2 linux x64')[1]).toContain('needs Node 24.2 or newer')
    expect(run('npm/11.6.0 node/v24.9.0 linux x64')[1]).toContain('npx mondido-gateway')
  })

  test('a folder without package.json is rejected', () =>
    expect(() => link(folder, folder)).toThrow('has no package.json'))
})
