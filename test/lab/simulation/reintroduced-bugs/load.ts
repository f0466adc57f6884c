import { accessSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { FAULTS } from './bugs.ts'

const SOURCES = new URL('../../../../mock-gateway/', import.meta.url).href

/**
 * Puts a fault back into the sources of the gateway as they are loaded: call it before.
 * @throws TypeError when there is no such fault, and Error when a file of it is not there; TypeError, as a file is loaded,
 * when that has changed
 */
export function putBack(name: string): void {
  const fault = FAULTS[name]
  if (!fault) throw new TypeError(`There is no fault ${name}; there are ${Object.keys(FAULTS).join(', ')}`)
  for (const { file } of fault.edits) accessSync(new URL(file, SOURCES))
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const edits = fault.edits.filter(({ file }) => url === `${SOURCES}${file}`)
      if (edits.length === 0) return loaded
      return { ...loaded, source: edits.reduce(edited, new TextDecoder().decode(loaded.source as Uint8Array)) }
    },
  })
}

function edited(source: string, { file, find, replace }: (typeof FAULTS)[string]['edits'][number]): string {
  const [before, after, ...more] = source.split(find)
  if (before === undefined || after === undefined || more.length > 0)
    throw new TypeError(`${file} does not have this once any more: ${find}`)
  return `${before}${replace}${after}`
}
