import type { Sample } from './load.ts'
import type { Server } from './servers.ts'

/** Length and number of the measurements. */
export interface Plan {
  /** Number of connections, each with one running request. */
  readonly connections: number
  /** Windows of each server that count; one more before them warms up. */
  readonly rounds: number
  /** Length of a window in milliseconds. */
  readonly milliseconds: number
  /** How often the gateway is started. */
  readonly starts: number
  /** How many transactions a gateway is grown to. */
  readonly creates: number
  /** Transactions at which pages of a list are measured. */
  readonly sizes: readonly number[]
  /** Folder of another build, which is measured in turns with this one. */
  readonly against: string | undefined
}

/** Server under load, with its requests. */
export interface Contestant {
  readonly server: Pick<Server, 'load' | 'cpu'>
  readonly next: () => string
}

/** Measured window with its cost. */
interface Turn extends Sample {
  /** Microseconds of processor time that the server spent on one answer, in all its threads. */
  readonly cpu: number
}

/** The windows of one contestant, in the order of the rounds. */
export type Score = readonly Turn[]

/**
 * Lets the contestants take turns, A B C A B C, so that other load of the machine affects all of
 * them. Only one is under load at a time.
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

/** @param values at least one */
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

/** The same of each round. */
export function ratios<Figure extends string>(
  one: readonly Readonly<Record<Figure, number>>[],
  other: readonly Readonly<Record<Figure, number>>[],
  figure: Figure,
): readonly number[] {
  return one.map((turn, round) => turn[figure] / (other[round]?.[figure] ?? Number.NaN))
}
