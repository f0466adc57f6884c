import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RunGateway } from '../../../mock-gateway/cli/running-gateway.ts'
import { type Chance, createChance } from '../../lab/simulation/runs/chance.ts'
import { all, pay } from '../process/load.ts'
import type { Told } from '../process/receiver.ts'
import { reconcile } from '../process/reconcile.ts'
import type { Answers } from './answers.ts'
import { createDisk } from './disk.ts'
import type { Step, Trace } from './trace.ts'

/** Recording of a gateway's run. */
export interface Recorded {
  readonly trace: Trace
  readonly answers: Answers
  /** Data on the disk before the run. Undefined: no folder. */
  readonly begins?: ReadonlyMap<string, Uint8Array> | undefined
  /** Received webhooks by the id of their event. */
  readonly told: ReadonlyMap<string, Told>
}

/** Kinds of crash points, with the weights by which they are drawn. */
const MOMENTS = { 'after an answer': 5, anywhere: 4, 'while it makes its tables': 1 }
type Moment = keyof typeof MOMENTS

/**
 * Draws crash points of a trace, in order.
 * @returns the number of steps before each crash point
 */
export function crashPointsOf(trace: Trace, count: number, chance: Chance): readonly number[] {
  const answers = trace.flatMap((step, index) => (step.kind === 'said' ? [index + 1] : []))
  const [first = trace.length] = answers
  const DRAW: Readonly<Record<Moment, () => number>> = {
    'after an answer': () => answers[chance.below(answers.length)] ?? 0,
    anywhere: () => chance.below(trace.length + 1),
    'while it makes its tables': () => chance.below(first + 1),
  }
  const drawn = Array.from({ length: count }, () => DRAW[chance.weighed(MOMENTS)]())
  return drawn.sort((one, other) => one - other)
}

/** Result of a start after one power loss. */
export interface Replayed {
  /** Number of steps before the power loss. */
  readonly at: number
  /** Number of sent answers and webhooks. */
  readonly said: number
  /** Differences from the acknowledged data. Empty if nothing is missing. */
  readonly problems: readonly string[]
}

/**
 * Simulates a power loss at each crash point, and starts a gateway on the remaining data.
 * @param folder where data may be written
 * @param told receives each result
 */
export async function replay(
  run: RunGateway,
  { trace, answers, begins, told }: Recorded,
  crashPoints: readonly number[],
  seed: string,
  folder: string,
  hear: (replayed: Replayed) => void = () => {},
): Promise<void> {
  const disk = createDisk(begins)
  const said = new Set<string>()
  let at = 0
  for (const [number, crashPoint] of crashPoints.entries()) {
    for (const step of trace.slice(at, crashPoint)) {
      disk.take(step)
      note(step, said)
    }
    at = crashPoint
    const left = disk.losePower(createChance(`${seed} ${number}`))
    const toldBefore = [...told].flatMap(([event, each]) => (said.has(event) ? [each] : []))
    const problems = await holds(run, left, answers.knownWith(said), toldBefore, folder)
    hear({ at, said: said.size, problems })
  }
}

const note = (step: Step, said: Set<string>) => void (step.kind === 'said' && said.add(step.id))

type Ledger = ReturnType<Answers['knownWith']>

async function holds(
  run: RunGateway,
  left: ReadonlyMap<string, Uint8Array> | undefined,
  ledger: Ledger,
  toldBefore: readonly Told[],
  folder: string,
): Promise<readonly string[]> {
  const data = join(await mkdtemp(join(folder, 'crash-point-')), 'data')
  if (left) await mkdir(data, { mode: 0o700 })
  for (const [name, bytes] of left ?? []) await writeFile(join(data, name), bytes, { mode: 0o600 })
  try {
    return await startsAndHas(run, data, ledger, toldBefore)
  } catch (error) {
    return [`does not go on: ${(error as Error).message}`]
  } finally {
    await rm(join(data, '..'), { recursive: true })
  }
}

/**
 * Starts a gateway on the remaining data, compares it with the answers, and makes one more payment.
 */
async function startsAndHas(
  run: RunGateway,
  data: string,
  ledger: Ledger,
  toldBefore: readonly Told[],
) {
  const gateway = await run(['--data', data, '--port', '0', '--log-level', 'silent'], {}, () => {})
  try {
    const url = `${gateway.url}/v1`
    const [transactions, refunds] = [await all(url, 'transactions'), await all(url, 'refunds')]
    const told = rowsIn(
      data,
      'select transaction_id as id, payment_ref from webhook_deliveries join transactions on transactions.id = transaction_id',
    )
    const kept = { transactions, refunds, told: [...told, ...toldBefore] } as unknown as Parameters<
      typeof reconcile
    >[1]
    const whole = rowsIn(data, 'pragma integrity_check')
      .map((row) => Object.values(row)[0])
      .filter((text) => text !== 'ok')
    const { status } = await pay(url)
    return [
      ...reconcile(ledger, kept),
      ...whole.map((text) => `damaged: ${text}`),
      ...(status === 'approved' ? [] : [`a payment afterwards is ${status}`]),
    ]
  } finally {
    await gateway.close()
  }
}

function rowsIn(data: string, statement: string): readonly Told[] {
  const database = new DatabaseSync(join(data, 'gateway.db'), { readOnly: true })
  try {
    return database.prepare(statement).all() as unknown as Told[]
  } finally {
    database.close()
  }
}
