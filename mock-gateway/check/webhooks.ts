import { TimeoutError } from '../client.ts'
import { NotCheckedError, ShopFault } from './errors.ts'
import type { Delivery } from './gateway.ts'
import type { StageParts } from './parts.ts'
import type { Purchase } from './purchase.ts'

export type DeliveryOrder = 'oldest first' | 'newest first'

type Note = (answer: number | undefined) => void

/** Milliseconds that a shop has for one webhook, unless the plan says otherwise. */
const ANSWER_MS = 15_000

/** Decides when the webhooks of purchases arrive. */
export function createWebhooks({ gateway, shop, story, time }: StageParts) {
  const { control } = gateway
  const timeout = shop.timeout ?? ANSWER_MS
  /** Delivers one webhook, and notes the shop's answer. @returns the delivery after it */
  async function attempt({ id }: Delivery, note: Note): Promise<Delivery> {
    const [attempted] = await control.attempt({ id }, timeout).catch((error) => {
      if (!(error instanceof TimeoutError)) throw error
      note(0)
      throw new ShopFault(
        'no answer to a webhook',
        `The shop did not answer a webhook within ${timeout / 1000} s.`,
      )
    })
    if (!attempted) throw new NotCheckedError(`The gateway has no webhook ${id} any more.`)
    if (attempted.status === 'delivered') note(200)
    else note((await control.delivery(id)).attempts.at(-1)?.response.code ?? 0)
    return attempted
  }
  /** Delivers webhooks one after the other, as one step. */
  async function deliverEach(says: string, chosen: readonly Delivery[]): Promise<boolean> {
    requireDeliveries(chosen)
    return story.step('webhook', says, async (note) => {
      let isAccepted = true
      for (const delivery of chosen)
        if ((await attempt(delivery, note)).status !== 'delivered') isAccepted = false
      return isAccepted
    })
  }
  const pendingOf = async ({ id }: Purchase) =>
    (await control.deliveries(id)).filter(({ status }) => status === 'pending')

  return {
    /** Releases webhooks that are held or were answered with an error, one after the other. */
    async release(purchase: Purchase, order: DeliveryOrder = 'oldest first') {
      const pending = await pendingOf(purchase)
      const isNewestFirst = order === 'newest first'
      const says = `The webhooks of ${purchase.paymentRef} arrive${isNewestFirst ? ', the newest first' : ''}.`
      await deliverEach(says, isNewestFirst ? pending.toReversed() : pending)
    },
    /**
     * Releases held webhooks of a purchase in parallel, beside other messages.
     * @param apart milliseconds between them
     */
    async releaseTogether(
      purchase: Purchase,
      apart: number,
      besides: () => readonly Promise<unknown>[] = () => [],
    ) {
      const pending = await pendingOf(purchase)
      requireDeliveries(pending)
      const says = `The webhooks of ${purchase.paymentRef} arrive on several connections at the same time.`
      await story.step('webhooks together', says, async (note) => {
        const sending = pending.map(async (delivery, place) => {
          if (apart > 0) await time.wait(place * apart)
          await attempt(delivery, note)
        })
        const results = await Promise.allSettled([...sending, ...besides()])
        for (const result of results) if (result.status === 'rejected') throw result.reason
      })
    },
    /**
     * Delivers the webhooks about one event of a purchase, or delivers them again.
     * @param place of the event: 0 is the first, -1 the last
     * @returns whether the shop accepted them
     */
    async arrive(purchase: Purchase, place: number): Promise<boolean> {
      const all = await control.deliveries(purchase.id)
      const event = [...new Set(all.map(({ event_id }) => event_id))].at(place)
      const chosen = all.filter(({ event_id }) => event_id === event)
      return deliverEach(`A webhook of ${purchase.paymentRef} arrives (event ${place}).`, chosen)
    },
    /** Deletes the held webhooks of a purchase, as if they were lost. */
    lose: ({ id, paymentRef }: Purchase) =>
      story.step('lose webhooks', `The webhooks of ${paymentRef} are lost.`, async () => {
        for (const delivery of await control.deliveries(id))
          if (delivery.due_at === null) await control.deleteDelivery(delivery.id)
      }),
    async resend({ id, paymentRef }: Purchase) {
      await deliverEach(`The webhooks of ${paymentRef} arrive again.`, await control.deliveries(id))
    },
    /**
     * Sends altered copies of the webhooks of a purchase.
     * @param change names of alterations with commas
     * @returns the statuses of the shop's answers; 0 if it did not answer
     */
    async alter({ id, paymentRef }: Purchase, change: string, otherRef?: string) {
      const deliveries = requireDeliveries(await control.deliveries(id))
      const says = `A webhook of ${paymentRef} arrives altered (${change}).`
      return story.step({ kind: 'forged webhook', change }, says, async (note) => {
        const fields = { change, ...(otherRef && { payment_ref: otherRef }) }
        const answers: number[] = []
        for (const { id: delivery } of deliveries)
          answers.push((await control.alter(delivery, fields)).code ?? 0)
        for (const answer of answers) note(answer)
        return answers
      })
    },
    /** Returns true if the gateway has sent a webhook with this trigger for a purchase. */
    has: async ({ id }: Purchase, trigger: string) =>
      (await control.deliveries(id)).some((delivery) => delivery.trigger === trigger),
  }
}

/** @throws NotCheckedError if the list is empty */
function requireDeliveries(deliveries: readonly Delivery[]): readonly Delivery[] {
  if (deliveries.length > 0) return deliveries
  throw new NotCheckedError(
    'The gateway sends no webhook for this payment. Give the transaction a webhook to check this.',
  )
}
