import { registerHooks, syncBuiltinESMExports } from 'node:module'
import workers, {
  getEnvironmentData,
  setEnvironmentData,
  Worker,
  type WorkerOptions,
} from 'node:worker_threads'

/** Sources that record which of their blocks run. */
export interface Watched {
  /** Changed sources by the URL of the file. */
  readonly sources: Readonly<Record<string, string>>
  /** Number of blocks in all sources. */
  readonly count: number
}

/** Key with which all threads find the shared memory of reached blocks. */
const SHARED = 'what was reached'

/**
 * Loads the instrumented modules, also in later threads.
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

/** Lets all threads that start from now on load a program first, whatever flags they have. */
export function watchThreads(program: string, env: Readonly<Record<string, string>>): void {
  workers.Worker = class extends Worker {
    constructor(file: string | URL, options: WorkerOptions = {}) {
      super(file, { ...options, env, execArgv: ['--import', program] })
    }
  }
  syncBuiltinESMExports()
}
