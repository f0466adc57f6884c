import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { programEnv } from '../../helpers/program.ts'
import type { Said, Work } from './worker.ts'

/** Seeds to run, and options of the runs. */
export interface Seeds {
  readonly from: number
  readonly count: number
  readonly workers: number
  /** Maximum number of turns of each client. Default: all turns of the plan. */
  readonly turns?: number | undefined
}

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))

/**
 * Runs seeds in separate processes. The first failure ends the other processes.
 * @param hear receives each seed when it ends, in any order
 * @returns all results by seed
 * @throws Error if a process ends before its seeds do
 */
export async function runSeeds(
  { from, count, workers, turns }: Seeds,
  hear: (said: Said) => void = () => {},
): Promise<Said[]> {
  const all: Said[] = []
  const children = new Set<ChildProcess>()
  let hasFailed = false

  async function work(first: number) {
    const given: Work = { from: first, step: workers, to: from + count - 1, turns }
    const child = spawn(process.execPath, [WORKER, JSON.stringify(given)], {
      env: programEnv(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.add(child)
    const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
    for await (const line of createInterface({ input: child.stdout })) {
      const said = JSON.parse(line) as Said
      all.push(said)
      hear(said)
      if (said.rule === undefined || hasFailed) continue
      hasFailed = true
      for (const other of children) if (other !== child) other.kill()
    }
    const code = await ended
    if (code !== 0 && !hasFailed)
      throw new Error(`A worker of the simulation ended with code ${code}`)
  }

  await Promise.all(
    Array.from({ length: Math.min(workers, count) }, (_, index) => work(from + index)),
  )
  return all.sort((one, other) => one.seed - other.seed)
}
