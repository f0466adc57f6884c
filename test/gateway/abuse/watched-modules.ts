import { registerHooks } from 'node:module'

/** Sources that note which of their blocks are run. */
export interface Watched {
  /** By the address of the file. */
  readonly sources: Readonly<Record<string, string>>
  /** Blocks of all of them. */
  readonly count: number
}

/**
 * From now on modules are loaded as `watched` has them.
 * @returns tells which blocks were run that had not been run when it was last asked
 */
export function load({ sources, count }: Watched): () => readonly number[] {
  const reached = new Uint8Array(count)
  const told = new Uint8Array(count)
  Object.assign(globalThis, { reached })
  registerHooks({
    load: (url, context, next) =>
      sources[url] === undefined
        ? next(url, context)
        : { format: 'module-typescript', source: sources[url], shortCircuit: true },
  })
  return () => {
    const fresh: number[] = []
    for (let block = 0; block < count; block += 1) if (reached[block] !== told[block]) fresh.push(block)
    told.set(reached)
    return fresh
  }
}
