import { registerHooks, syncBuiltinESMExports } from 'node:module'
import workers, {
  getEnvironmentData,
  setEnvironmentData,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads'

/** Sources that note which of their blocks are run. */
export interface Watched {
  /** Sources by the address of the file. */
  readonly sources: Readonly<Record<string, string>>
  /** Blocks of all of them. */
  readonly count: number
}

/** The key by which all threads find the shared memory of reached blocks. */
const SHARED = 'what was reached'

/**
 * Loads modules as `watched` has changed them, also in later threads.
 * @returns a function that lists the blocks that were reached since its last call
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
