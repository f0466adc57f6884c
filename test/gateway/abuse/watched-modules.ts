import { registerHooks, syncBuiltinESMExports } from 'node:module'
import workers, {
  getEnvironmentData,
  setEnvironmentData,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads'

/** Sources that note which of their blocks are run. */
export interface Watched {
  /** By the address of the file. */
  readonly sources: Readonly<Record<string, string>>
  /** Blocks of all of them. */
  readonly count: number
}

/** What threads find the memory by in which all of them note what they run. */
const SHARED = 'what was reached'

/**
 * From now on modules are loaded as `watched` has them, in threads that begin later too.
 * @returns tells which blocks were run that had not been run when it was last asked
 */
export function load({ sources, count }: Watched): () => readonly number[] {
  const shared =
    (getEnvironmentData(SHARED) as SharedArrayBuffer | undefined) ?? new SharedArrayBuffer(count)
  setEnvironmentData(SHARED, shared)
  const reached = Buffer.from(shared)
  const told = Buffer.alloc(count)
  Object.assign(globalThis, { reached })
  registerHooks({
    load: (url, context, next) =>
      sources[url] === undefined
        ? next(url, context)
        : { format: 'module-typescript', source: sources[url], shortCircuit: true },
  })
  return () => {
    if (reached.equals(told)) return []
    const fresh = [...reached.keys()].filter((block) => reached[block] !== told[block])
    told.set(reached)
    return fresh
  }
}

/** Threads that begin from now on load a program first, whatever flags they are given. */
export function watchThreads(program: string, env: Readonly<Record<string, string>>): void {
  workers.Worker = class extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      super(file, { ...options, env, execArgv: ['--import', program] })
    }
  }
  syncBuiltinESMExports()
}
