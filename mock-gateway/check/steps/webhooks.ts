import { RefusedError, TimeoutError } from '../../client.ts'
import { ALTERATIONS, type AlterationName } from '../../domain/webhook/alterations.ts'
import { NotCheckedError, ShopFault } from '../errors.ts'
import type { Delivery, GatewayClient } from '../gateway.ts'
import type { Purchase } from '../purchase.ts'
import type { Action, Stage } from '../stage.ts'
import { isError, type Note } from '../story.ts'

/** Milliseconds that a shop has for one webhook, unless the plan says otherwise. */
const ANSWER_MS = 15_000

/** Milliseconds that the gateway waits for the answer to an altered copy. */
const MOST_COPY_MS = 10_000

const findTimeout = ({ shop }: Stage): number => shop.timeout ?? ANSWER_MS

const noAnswer = (milliseconds: number) =>
  new ShopFault(
    'no answer to a webhook',
    `The shop did not answer a webhook within ${milliseconds / 1000} s.`,
  )

/** Delivers one webhook. @returns whether the shop accepted it */
async function attempt(stage: Stage, { id }: Delivery, note: Note): Promise<boolean> {
  const timeout = findTimeout(stage)
  const [attempted] = await stage.gateway.attempt(id, timeout).catch((error) => {
    if (!(error instanceof TimeoutError)) throw error
    note(0)
    throw noAnswer(timeout)
  })
  if (!attempted) throw new NotCheckedError(`The gateway has no webhook ${id} any more.`)
  const isAccepted = attempted.status === 'delivered'
  const { attempts } = isAccepted
    ? { attempts: [] }
    : await stage.gateway.control.deliveries.show({ id })
  note(isAccepted ? 200 : (attempts.at(-1)?.response.code ?? 0))
  return isAccepted
}

/** Delivers webhooks one after the other, as one step. @returns whether the shop accepted all */
async function deliverEach(
  stage: Stage,
  kind: 'webhook' | 'webhook again',
  says: string,
  chosen: readonly Delivery[],
): Promise<boolean> {
  requireDeliveries(chosen)
  return stage.story.step(kind, says, async (note) => {
    let isAccepted = true
    for (const delivery of chosen) if (!(await attempt(stage, delivery, note))) isAccepted = false
    return isAccepted
  })
}

/** Sends altered copies of a delivery. @returns the statuses of the answers; 0 for none */
async function copy(
  { gateway }: Stage,
  { id }: Delivery,
  fields: Omit<Parameters<GatewayClient['control']['deliveries']['alter']>[0], 'id'>,
): Promise<readonly number[]> {
  const { responses } = await gateway.control.deliveries.alter({ id, ...fields }).catch((error) => {
    if (!(error instanceof RefusedError)) throw error
    throw new NotCheckedError(`The gateway cannot alter this webhook: ${error.message}`)
  })
  return responses.map(({ code }) => code ?? 0)
}

/** @throws NotCheckedError if the purchase has no webhook */
const findAll = async ({ gateway }: Stage, { id }: Purchase) =>
  requireDeliveries(await gateway.findDeliveries(id))

/** @param choose webhooks of the purchase, in the order of their delivery */
const deliverChosen =
  (
    kind: 'webhook' | 'webhook again',
    how: string,
    choose: (all: readonly Delivery[]) => readonly Delivery[],
  ): Action =>
  async (stage, { id, payment_ref }) => {
    const chosen = choose(await stage.gateway.findDeliveries(id))
    return deliverEach(stage, kind, `The webhooks of ${payment_ref} arrive${how}.`, chosen)
  }

const findPending = (all: readonly Delivery[]) => all.filter(({ status }) => status === 'pending')

/** Releases webhooks that are held or were answered with an error, one after the other. */
export const release = deliverChosen('webhook', '', findPending)
export const releaseNewestFirst = deliverChosen('webhook', ', the newest first', (all) =>
  findPending(all).toReversed(),
)
export const resend = deliverChosen('webhook again', ' again', (all) => all)

/** Skips an action, and returns false, if the shop lacks a feature that the action needs, such as webhooks. */
export const ifAny =
  (act: Action): Action =>
  (stage, purchase) =>
    act(stage, purchase).catch((error) => {
      if (error instanceof NotCheckedError) return false
      throw error
    })

/** Releases webhooks. A shop without webhooks is checked only by its return address. */
export const deliver = ifAny(release)

/**
 * Delivers the webhooks about one event of a purchase, or delivers them again.
 * @param place of the event: 0 is the first, -1 the last
 * @returns whether the shop accepted them
 */
export async function deliverEvent(
  stage: Stage,
  { id, payment_ref }: Purchase,
  place: number,
  kind: 'webhook' | 'webhook again' = 'webhook',
): Promise<boolean> {
  const all = await stage.gateway.findDeliveries(id)
  const event = [...new Set(all.map(({ event_id }) => event_id))].at(place)
  const chosen = all.filter(({ event_id }) => event_id === event)
  const which = place === -1 ? 'last' : ORDINALS[place]
  const again = kind === 'webhook again' ? ' again' : ''
  const says = `The webhook about the ${which} event of ${payment_ref} arrives${again}.`
  return deliverEach(stage, kind, says, chosen)
}

const ORDINALS = ['first', 'second']

/**
 * Sends each webhook of a purchase on two connections, at the same time as other messages. Both
 * connections are open before the first body is sent.
 */
export const deliverTogether =
  (...others: readonly Action[]): Action =>
  async (stage, purchase) => {
    const deliveries = await findAll(stage, purchase)
    const milliseconds = Math.min(findTimeout(stage), MOST_COPY_MS)
    const says = `The webhooks of ${purchase.payment_ref} arrive on two connections at the same time.`
    await stage.story.step('webhooks together', says, async (note) => {
      const sending = deliveries.map(async (delivery) => {
        const answers = await copy(stage, delivery, { change: 'copy', copies: 2, milliseconds })
        answers.forEach(note)
        if (answers.includes(0)) throw noAnswer(milliseconds)
      })
      const acting = others.map((act) => act(stage, purchase))
      const results = await Promise.allSettled([...sending, ...acting])
      for (const result of results) if (result.status === 'rejected') throw result.reason
    })
  }

/** Sends webhooks of a purchase, and closes the connections after a time. */
export const interrupt =
  (milliseconds: number): Action =>
  (stage, purchase) =>
    stage.story.step(
      'interrupted webhook',
      `The webhooks of ${purchase.payment_ref} arrive, and the gateway closes the connections after ${milliseconds / 1000} s.`,
      async () => {
        for (const delivery of await findAll(stage, purchase))
          await copy(stage, delivery, { change: 'copy', milliseconds })
      },
    )

/** Deletes the held webhooks of a purchase, as if they were lost. */
export const lose: Action = ({ gateway, story }, { id, payment_ref }) =>
  story.step('lose webhooks', `The webhooks of ${payment_ref} are lost.`, async () => {
    for (const delivery of await gateway.findDeliveries(id))
      if (delivery.due_at === null) await gateway.control.deliveries.delete({ id: delivery.id })
  })

/**
 * Sends altered copies of the webhooks of a purchase.
 * @param changes what differs from the genuine webhooks
 * @param other the order that the copies name
 */
export const alter =
  (changes: readonly AlterationName[], other?: Purchase): Action =>
  async (stage, purchase) => {
    const deliveries = await findAll(stage, purchase)
    const change = changes.join()
    const words = changes.map((each) => ALTERATIONS[each].description)
    const says = `A webhook of ${purchase.payment_ref} arrives with ${words.join(', and ')}.`
    const fields = { change, ...(other && { payment_ref: other.payment_ref }) }
    await stage.story.step({ kind: 'forged webhook', change }, says, async (note) => {
      for (const delivery of deliveries) (await copy(stage, delivery, fields)).forEach(note)
    })
  }

/** Asserts that the shop accepted the webhooks of the last step with webhooks. */
const requireAnswers =
  (isAccepted: (answer: number) => boolean): Action =>
  async ({ story }) => {
    const last = story.steps.findLast(({ kind }) => /webhook/.test(kind))
    const answer = last?.answers.find((each) => !isAccepted(each))
    if (answer === undefined) return
    throw new ShopFault(
      'rejected webhook',
      `The shop answered ${answer || 'nothing'} to a genuine webhook.`,
    )
  }

export const mustBeAccepted = requireAnswers((answer) => !isError(answer))
/** Asserts that the shop answered the last webhooks, but not with status 500. */
export const mustBeAnswered = requireAnswers((answer) => answer !== 0 && answer < 500)

/** @throws NotCheckedError if the list is empty */
function requireDeliveries(deliveries: readonly Delivery[]): readonly Delivery[] {
  if (deliveries.length > 0) return deliveries
  throw new NotCheckedError(
    'The gateway sends no webhook for this payment. Give the transaction a webhook to check this.',
  )
}
