import type { Chance } from '../runs/chance.ts'
import { type MailSent, runningProcess } from '../runs/machine.ts'
import type { Owner, Scheduler } from '../runs/scheduler.ts'
import { drawWait, type Rates } from './rates.ts'

/** Call that arrived at a shop or a mail server. */
interface Arrived {
  readonly at: number
  readonly process: string
  /** Header `webhook-id`, with which the id of a mail begins, too. */
  readonly id: string
  /** Status that the gateway received. Null: the connection was cut. */
  readonly answer: number | null
  /** Time at which the gateway received the answer. Undefined before, and if the gateway died. */
  answeredAt: number | undefined
}

/** Webhook that arrived at a shop. */
export interface Called extends Arrived {
  readonly url: string
  /** Header `webhook-attempt`. */
  readonly attempt: number
  /** JSON of the body. */
  readonly body: Readonly<Record<string, unknown>>
}

export interface Mailed extends Arrived {
  readonly to: string
  readonly text: string
}

export type Told = Called | Mailed

/** Call of a gateway to a shop or a mail server. */
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

/**
 * Creates the servers that gateways call: shops for webhooks, and a mail server, without real
 * connections.
 */
export function createOutside({ scheduler, chance, rates, heard }: OutsideParts) {
  /** Waits, and answers. */
  async function answered(told: Told, slow: number, owner: Owner | undefined) {
    heard(told)
    await scheduler.sleep(chance.happens(slow) ? drawWait(chance, WAITS) : 1, owner)
    told.answeredAt = scheduler.now()
  }

  const arrived = () => ({
    at: scheduler.now(),
    process: runningProcess()?.name ?? '',
    answeredAt: undefined,
  })

  function answer(): number | null {
    const { webhookRefused, webhookFails, webhookCut } = rates()
    if (chance.happens(webhookRefused)) return 404
    if (chance.happens(webhookFails)) return 500
    return chance.happens(webhookCut) ? null : 200
  }

  async function call({ url, headers, body }: Call) {
    const told: Called = {
      ...arrived(),
      url,
      id: headers['webhook-id'] ?? '',
      attempt: Number(headers['webhook-attempt']),
      body: JSON.parse(body),
      answer: answer(),
    }
    await answered(told, rates().webhookWaits, runningProcess())
    return told.answer === null
      ? { code: null, body: null, message: null, headers: null, error: 'ECONNRESET' }
      : { code: told.answer, body: '', message: '', headers: {}, error: null }
  }

  async function mailServer({ messageId, to, text }: MailSent) {
    const { mailRefused, mailCut, mailWaits } = rates()
    const [id = ''] = messageId.slice(1).split('@')
    const answer = chance.happens(mailRefused) ? 554 : chance.happens(mailCut) ? null : 250
    await answered({ ...arrived(), id, to, text, answer }, mailWaits, runningProcess())
    if (answer !== 250) throw new Error(answer === null ? 'ECONNRESET' : 'Nobody here takes mails')
  }

  return { call, mailServer }
}
