import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { blocksOf, noting } from '../../lab/mutants/reach.ts'
import { ROOT, sourcesBelow } from '../../lab/mutants/sources.ts'
import type { Watched } from './watched-modules.ts'

/** Position of a block. */
export interface Place {
  readonly path: string
  readonly line: number
  /** First line of the block's text. */
  readonly text: string
}

/**
 * Instruments the sources below some folders for `load`. Returns them with the positions of their
 * blocks.
 */
export function watch(folders: readonly string[]): Watched & { readonly places: readonly Place[] } {
  const places: Place[] = []
  const sources = sourcesBelow(folders).map((path) => {
    const source = readFileSync(ROOT + path, 'utf8')
    const blocks = blocksOf(path, source)
    const first = places.length
    for (const { start } of blocks) {
      const before = source.slice(0, start).split('\n')
      places.push({
        path,
        line: before.length,
        text: source.split('\n')[before.length - 1]?.trim() ?? '',
      })
    }
    return [
      pathToFileURL(ROOT + path).href,
      noting(source, blocks, (number) => `reached[${first + number}]=1`),
    ]
  })
  return { sources: Object.fromEntries(sources), count: places.length, places }
}
