import { RefusedError, TimeoutError } from '../client.ts'
import { ALTERATIONS } from '../domain/webhook/alterations.ts'
import { NotCheckedError, ShopFault } from './errors.ts'
import type { Delivery } from './gateway.ts'
import type { StageParts } from './parts.ts'
import type { Purchase } from './purchase.ts'
import { isError, type Note } from './story.ts'

/** Milliseconds that a shop has for one webhook, unless the plan says otherwise. */
const ANSWER_MS = 15_000

/** Milliseconds that the gateway waits for the answer to an altered copy. */
const MOST_COPY_MS = 10_000

/** Decides when the webhooks of purchases arrive. */
export function createWebhooks({ gateway, shop, story }: StageParts) {
  const { control, findDeliveries } = gateway
  const timeout = shop.timeout ?? ANSWER_MS
  const noAnswer = (milliseconds: number) =>
    new ShopFault(
      'no answer to a webhook',
      `The shop did not answer a webhook within ${milliseconds / 1000} s.`,
    )
  /** Delivers one webhook. @returns whether the shop accepted it */
  async function attempt({ id }: Delivery, note: Note): Promise<boolean> {
    const [attempted] = await gateway.attempt(id, timeout).catch((error) => {
      if (!(error instanceof TimeoutError)) throw error
      note(0)
      throw noAnswer(timeout)
    })
    if (!attempted) throw new NotCheckedError(`The gateway has no webhook ${id} any more.`)
    const isAccepted = attempted.status === 'delivered'
    const { attempts } = isAccepted ? { attempts: [] } : await control.deliveries.show({ id })
    note(isAccepted ? 200 : (attempts.at(-1)?.response.code ?? 0))
    return isAccepted
  }
  /** Delivers webhooks one after the other, as one step. */
  async function deliverEach(
    kind: 'webhook' | 'webhook again',
    says: string,
    chosen: readonly Delivery[],
  ): Promise<boolean> {
    requireDeliveries(chosen)
    return story.step(kind, says, async (note) => {
      let isAccepted = true
      for (const delivery of chosen) if (!(await attempt(delivery, note))) isAccepted = false
      return isAccepted
    })
  }
  /** Sends altered copies of a delivery. @returns the statuses of the answers; 0 for none */
  async function copy({ id }: Delivery, fields: CopyFields): Promise<readonly number[]> {
    const { responses } = await control.deliveries.alter({ id, ...fields }).catch((error) => {
      if (!(error instanceof RefusedError)) throw error
      throw new NotCheckedError(`The gateway cannot alter this webhook: ${error.message}`)
    })
    return responses.map(({ code }) => code ?? 0)
  }

  return {
    /** Releases webhooks that are held or were answered with an error, one after the other. */
    async release(
      { id, paymentRef }: Purchase,
      order: 'oldest first' | 'newest first' = 'oldest first',
    ) {
      const pending = (await findDeliveries(id)).filter(({ status }) => status === 'pending')
      const isNewestFirst = order === 'newest first'
      const says = `The webhooks of ${paymentRef} arrive${isNewestFirst ? ', the newest first' : ''}.`
      await deliverEach('webhook', says, isNewestFirst ? pending.toReversed() : pending)
    },
    async resend({ id, paymentRef }: Purchase) {
      const says = `The webhooks of ${paymentRef} arrive again.`
      await deliverEach('webhook again', says, await findDeliveries(id))
    },
    /**
     * Delivers the webhooks about one event of a purchase, or delivers them again.
     * @param place of the event: 0 is the first, -1 the last
     * @returns whether the shop accepted them
     */
    async arrive(
      { id, paymentRef }: Purchase,
      place: number,
      kind: 'webhook' | 'webhook again' = 'webhook',
    ): Promise<boolean> {
      const all = await findDeliveries(id)
      const event = [...new Set(all.map(({ event_id }) => event_id))].at(place)
      const chosen = all.filter(({ event_id }) => event_id === event)
      const which = place === -1 ? 'last' : ORDINALS[place]
      const again = kind === 'webhook again' ? ' again' : ''
      const says = `The webhook about the ${which} event of ${paymentRef} arrives${again}.`
      return deliverEach(kind, says, chosen)
    },
    /**
     * Sends each webhook of a purchase on two connections, beside other messages. Both connections
     * are open before the first body is sent.
     */
    async arriveTogether(
      { id, paymentRef }: Purchase,
      besides: () => readonly Promise<unknown>[] = () => [],
    ) {
      const deliveries = requireDeliveries(await findDeliveries(id))
      const milliseconds = Math.min(timeout, MOST_COPY_MS)
      const says = `The webhooks of ${paymentRef} arrive on two connections at the same time.`
      await story.step('webhooks together', says, async (note) => {
        const sending = deliveries.map(async (delivery) => {
          const answers = await copy(delivery, { change: 'copy', copies: 2, milliseconds })
          answers.forEach(note)
          if (answers.includes(0)) throw noAnswer(milliseconds)
        })
        const results = await Promise.allSettled([...sending, ...besides()])
        for (const result of results) if (result.status === 'rejected') throw result.reason
      })
    },
    /** Sends webhooks of a purchase, and closes the connections after a time. */
    interrupt: ({ id, paymentRef }: Purchase, milliseconds: number) =>
      story.step(
        'interrupted webhook',
        `The webhooks of ${paymentRef} arrive, and the gateway closes the connections after ${milliseconds / 1000} s.`,
        async () => {
          for (const delivery of requireDeliveries(await findDeliveries(id)))
            await copy(delivery, { change: 'copy', milliseconds })
        },
      ),
    /** Deletes the held webhooks of a purchase, as if they were lost. */
    lose: ({ id, paymentRef }: Purchase) =>
      story.step('lose webhooks', `The webhooks of ${paymentRef} are lost.`, async () => {
        for (const delivery of await findDeliveries(id))
          if (delivery.due_at === null) await control.deliveries.delete({ id: delivery.id })
      }),
    /**
     * Sends altered copies of the webhooks of a purchase.
     * @param alterations what differs from the genuine webhooks
     */
    async alter({ id, paymentRef }: Purchase, alterations: readonly Change[], otherRef?: string) {
      const deliveries = requireDeliveries(await findDeliveries(id))
      const change = alterations.join()
      const words = alterations.map((each) => ALTERATIONS[each].description)
      const says = `A webhook of ${paymentRef} arrives with ${words.join(', and ')}.`
      const fields = { change, ...(otherRef !== undefined && { payment_ref: otherRef }) }
      await story.step({ kind: 'forged webhook', change }, says, async (note) => {
        for (const delivery of deliveries) (await copy(delivery, fields)).forEach(note)
      })
    },
    /** Asserts that the shop accepted the webhooks of the last step with webhooks. */
    mustBeAccepted(isAccepted = (answer: number) => !isError(answer)) {
      const last = story.steps.findLast(({ kind }) => /webhook/.test(kind))
      const answer = last?.answers.find((each) => !isAccepted(each))
      if (answer === undefined) return
      throw new ShopFault(
        'rejected webhook',
        `The shop answered ${answer || 'nothing'} to a genuine webhook.`,
      )
    },
  }
}

type Change = keyof typeof ALTERATIONS

const ORDINALS = ['first', 'second']

interface CopyFields {
  readonly change: string
  readonly payment_ref?: string
  readonly copies?: number
  readonly milliseconds?: number
}

/** @throws NotCheckedError if the list is empty */
function requireDeliveries(deliveries: readonly Delivery[]): readonly Delivery[] {
  if (deliveries.length > 0) return deliveries
  throw new NotCheckedError(
    'The gateway sends no webhook for this payment. Give the transaction a webhook to check this.',
  )
}
