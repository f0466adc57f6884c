import type { Load, Sample } from './load.ts'

/** How long and how often is measured. */
export interface Plan {
  /** Connections with one request under way each. */
  readonly connections: number
  /** Windows of each server that count; one more before them warms up. */
  readonly rounds: number
  /** Of a window. */
  readonly milliseconds: number
  /** How often the gateway is started. */
  readonly starts: number
  /** How many transactions a gateway is grown to. */
  readonly creates: number
  /** Transactions at which pages of a list are measured. */
  readonly sizes: readonly number[]
}

/** A server under load, and what it is asked. */
export interface Contestant {
  readonly load: Load
  readonly next: () => string
}

/** The windows of one contestant, in the order of the rounds. */
export type Score = readonly Sample[]

/**
 * Lets the contestants take turns, A B C A B C, so that whatever else the machine does hits all of them alike.
 * Only one is under load at a time.
 */
export async function takeTurns<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  plan: Plan,
): Promise<Readonly<Record<Name, Score>>> {
  const names = Object.keys(contestants) as Name[]
  const scores = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Sample[]>
  for (let round = 0; round <= plan.rounds; round += 1)
    for (const name of names) {
      const { load, next } = contestants[name]
      const sample = await load.run({ milliseconds: plan.milliseconds }, next)
      if (round > 0) scores[name].push(sample)
    }
  return scores
}

/** @param values at least one */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2
}

/** Requests per second of one as a share of another's: the median over the rounds of what each round gave. */
export function ratio(one: Score, other: Score): number {
  return median(one.map(({ perSecond }, round) => perSecond / (other[round] as Sample).perSecond))
}
