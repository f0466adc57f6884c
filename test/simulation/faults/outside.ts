import type { Chance } from '../world/chance.ts'
import { runningProcess } from '../world/machine.ts'
import type { Owner, Scheduler } from '../world/scheduler.ts'
import { drawWait, type Rates } from './rates.ts'

/** A webhook that has arrived at a shop. */
export interface Told {
  readonly at: number
  readonly process: string
  readonly url: string
  /** The header `webhook-id`. */
  readonly id: string
  /** The header `webhook-attempt`. */
  readonly attempt: number
  /** The JSON that was sent. */
  readonly body: Readonly<Record<string, unknown>>
  /** What the gateway heard; null: the connection was cut. */
  readonly answer: number | null
  /** When it heard that; undefined while the shop takes its time, and for ever when the gateway dies meanwhile. */
  answeredAt: number | undefined
}

/** One call as a gateway makes it. */
interface Call {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const WAITS = { 20: 60, 3000: 30, 80000: 2 }

interface OutsideParts {
  readonly scheduler: Scheduler
  readonly chance: Chance
  readonly rates: () => Rates
  readonly heard: (told: Told) => void
}

/** Everything that gateways call: shops that hear webhooks, in the place of HTTP. */
export function createOutside({ scheduler, chance, rates, heard }: OutsideParts) {
  async function wait(owner: Owner | undefined) {
    const slow = chance.happens(rates().webhookWaits)
    await scheduler.sleep(slow ? drawWait(chance, WAITS) : 1, owner)
  }

  function answer(): number | null {
    const { webhookRefused, webhookFails, webhookCut } = rates()
    if (chance.happens(webhookRefused)) return 404
    if (chance.happens(webhookFails)) return 500
    return chance.happens(webhookCut) ? null : 200
  }

  return async ({ url, headers, body }: Call) => {
    const process = runningProcess()
    const told: Told = {
      at: scheduler.now(),
      process: process?.name ?? '',
      url,
      id: headers['webhook-id'] ?? '',
      attempt: Number(headers['webhook-attempt']),
      body: JSON.parse(body),
      answer: answer(),
      answeredAt: undefined,
    }
    heard(told)
    await wait(process)
    told.answeredAt = scheduler.now()
    return told.answer === null
      ? { code: null, body: null, message: null, headers: null, error: 'ECONNRESET' }
      : { code: told.answer, body: '', message: '', headers: {}, error: null }
  }
}
