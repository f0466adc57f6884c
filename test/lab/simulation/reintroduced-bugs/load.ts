import { accessSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { BUGS } from './bugs.ts'

const SOURCES = new URL('../../../../mock-gateway/', import.meta.url).href

/**
 * Reintroduces a bug into the gateway's sources while they are loaded. Call this function before
 * loading them.
 * @throws TypeError if there is no such bug, or, while loading, if a file has changed
 * @throws Error if one of its files is missing
 */
export function reintroduceBug(name: string): void {
  const bug = BUGS[name]
  if (!bug)
    throw new TypeError(`There is no bug ${name}; there are ${Object.keys(BUGS).join(', ')}`)
  for (const { file } of bug.edits) accessSync(new URL(file, SOURCES))
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const edits = bug.edits.filter(({ file }) => url === `${SOURCES}${file}`)
      if (edits.length === 0) return loaded
      return {
        ...loaded,
        source: edits.reduce(edited, new TextDecoder().decode(loaded.source as Uint8Array)),
      }
    },
  })
}

function edited(
  source: string,
  { file, find, replace }: (typeof BUGS)[string]['edits'][number],
): string {
  const [before, after, ...more] = source.split(find)
  if (before === undefined || after === undefined || more.length > 0)
    throw new TypeError(`${file} does not have this once any more: ${find}`)
  return `${before}${replace}${after}`
}
