import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { onTestFinished, vi } from 'vitest'

/** The names of the views that are read from now on, until the test ends. */
export function readViews(): string[] {
  const names: string[] = []
  const { readFileSync } = fs
  const read = vi.spyOn(fs, 'readFileSync').mockImplementation((path, options) => {
    if (typeof path === 'string' && path.endsWith('.liquid')) names.push(basename(path))
    return readFileSync(path, options)
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    read.mockRestore()
    syncBuiltinESMExports()
  })
  return names
}
