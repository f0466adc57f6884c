/**
 * Setup file of vitest that records which blocks of the sources a test file reaches, and how long
 * it takes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { NOTES, type Noted } from './nearest.ts'
import { ROOT } from './sources.ts'

/** Reached blocks, which all files of one process share. */
const { reached = new Set<string>() } = globalThis as { reached?: Set<string> }
reached.clear()
Object.assign(globalThis, { reached })
const begin = performance.now()

afterAll(() => {
  const file = relative(ROOT, expect.getState().testPath ?? '').replaceAll('\\', '/')
  const noted: Noted = { file, ms: Math.round(performance.now() - begin), blocks: [...reached] }
  mkdirSync(NOTES, { recursive: true })
  writeFileSync(`${NOTES}/${file.replaceAll('/', '+')}.json`, JSON.stringify(noted))
})
