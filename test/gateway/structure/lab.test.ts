import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { INSTRUMENTS } from '../../lab/instruments.ts'

const inLab = (path: string) => fileURLToPath(new URL(`../../lab/${path}`, import.meta.url))

test('npm run lab lists every instrument', () => {
  const output = execFileSync(process.execPath, [inLab('run.ts')], { encoding: 'utf8' })
  expect(output.match(/^ {2}\w+/gm)?.map((line) => line.trim())).toEqual(Object.keys(INSTRUMENTS))
})

test('npm run lab passes the arguments on to the instrument', () => {
  const run = () =>
    execFileSync(process.execPath, [inLab('run.ts'), 'soak', '--minutes', '0'], { stdio: 'pipe' })
  expect(run).toThrow('Usage: npm run lab -- soak [--minutes <number>]')
})

test('every instrument has a file, and a row in the README of test/lab', () => {
  for (const { file } of Object.values(INSTRUMENTS))
    expect(existsSync(inLab(file)), file).toBe(true)
  const rows = readFileSync(inLab('README.md'), 'utf8').match(/(?<=^\| `)\w+/gm)
  expect(rows).toEqual(Object.keys(INSTRUMENTS))
})
