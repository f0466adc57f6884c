import type { Sample } from './load.ts'
import type { Server } from './servers.ts'

/** Length and number of the measurements. */
export interface Plan {
  /** Number of connections, each with one running request. */
  readonly connections: number
  /**
   * Number of measured windows of each server. An additional window before them warms the server
   * up.
   */
  readonly rounds: number
  /** Length of a window in milliseconds. */
  readonly milliseconds: number
  /** Number of measured starts of the gateway. */
  readonly starts: number
  /** Number of transactions up to which the growth is measured. */
  readonly creates: number
  /** Transactions at which pages of a list are measured. */
  readonly sizes: readonly number[]
  /** Folder of another build, which is measured alternately with this one. */
  readonly against: string | undefined
}

/** Server that is measured, with its requests. */
export interface Contestant {
  readonly server: Pick<Server, 'load' | 'cpu'>
  readonly next: () => string
}

/** Measured window, with its CPU time. */
interface Turn extends Sample {
  /** CPU time of the server for one answer in microseconds, in all threads. */
  readonly cpu: number
}

/** Windows of one server, in the order of the rounds. */
export type Score = readonly Turn[]

/**
 * Measures servers in turns (A B C A B C), so that other load of the machine affects all of them.
 * Only one server is under load at a time.
 */
export async function takeTurns<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  plan: Plan,
): Promise<Readonly<Record<Name, Score>>> {
  const names = Object.keys(contestants) as Name[]
  const scores = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Turn[]
  >
  for (let round = 0; round <= plan.rounds; round += 1)
    for (const name of names) {
      const { server, next } = contestants[name]
      const before = server.cpu()
      const sample = await server.load.run({ milliseconds: plan.milliseconds }, next)
      const cpu = (server.cpu() - before) / sample.answers
      if (round > 0) scores[name].push({ ...sample, cpu })
    }
  return scores
}

/**
 * Returns the median.
 * @param values at least one value
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
}

/**
 * Returns a figure of one server as a ratio to another's, requests per second by default: the
 * median of all rounds.
 */
export function ratio(
  one: Score,
  other: Score,
  figure: 'perSecond' | 'cpu' | 'p99' = 'perSecond',
): number {
  return median(ratios(one, other, figure))
}

/** Returns the ratio of each round. */
function ratios<Figure extends string>(
  one: readonly Readonly<Record<Figure, number>>[],
  other: readonly Readonly<Record<Figure, number>>[],
  figure: Figure,
): readonly number[] {
  return one.map((turn, round) => turn[figure] / (other[round]?.[figure] ?? Number.NaN))
}
