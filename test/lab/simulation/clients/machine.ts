import type { Chance } from '../runs/chance.ts'
import type { ClientPlan } from '../runs/plan.ts'
import type { Simulation } from '../runs/simulation.ts'

/**
 * What somebody may do in each state, as often as the weights say. A state without any is an end.
 */
export type Table<State extends string, Act extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Act, number>>>>
>

/** One who acts, and where. */
export interface Acting {
  readonly simulation: Simulation
  readonly plan: ClientPlan
  readonly chance: Chance
}

/** Does something, and says which state that leads to. */
export type Acts<State extends string, Act extends string, Subject> = Readonly<
  Record<Act, (acting: Acting, subject: Subject) => Promise<State>>
>

/** Takes one step of a machine. */
export async function step<
  State extends string,
  Act extends string,
  Subject extends { state: string },
>(
  table: Table<State, Act>,
  acts: Acts<State, Act, Subject>,
  acting: Acting,
  subject: Subject,
): Promise<void> {
  const act = acting.chance.weighed<Act>(table[subject.state as State])
  subject.state = await acts[act](acting, subject)
}

/** What can still be done of these. */
export const open = <Subject extends { state: string }>(
  table: Table<string, string>,
  subjects: readonly Subject[],
): Subject[] => subjects.filter(({ state }) => Object.keys(table[state] ?? {}).length > 0)
