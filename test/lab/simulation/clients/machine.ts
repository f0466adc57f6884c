import type { Chance } from '../runs/chance.ts'
import type { ClientPlan } from '../runs/plan.ts'
import type { Simulation } from '../runs/simulation.ts'

/** Possible actions in each state, with their weights. A state without actions is final. */
export type Table<State extends string, Act extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Act, number>>>>
>

/** Client with the run and its own random values. */
export interface Acting {
  readonly simulation: Simulation
  readonly plan: ClientPlan
  readonly chance: Chance
}

/** Runs an action, and returns the next state. */
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

/** Returns the subjects that are not in a final state. */
export const open = <Subject extends { state: string }>(
  table: Table<string, string>,
  subjects: readonly Subject[],
): Subject[] => subjects.filter(({ state }) => Object.keys(table[state] ?? {}).length > 0)
