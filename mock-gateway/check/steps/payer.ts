import { CheckError, NoPageError, NotCheckedError, ShopFault } from '../errors.ts'
import type { ShopUnderCheck } from '../plan.ts'
import { isPaid, type PayerCard, type Purchase, toPurchase } from '../purchase.ts'
import { type Action, joinActions, type Stage } from '../stage.ts'
import * as webhooks from './webhooks.ts'

/** Members of a plan that add cases: what they check, and an example. */
export const OPTIONAL_MEMBERS = {
  buy: ['purchases on a payment page', '/buy'],
  retry: [
    'another attempt after a decline, and two payment pages of one order',
    '/buy/{payment_ref}/again',
  ],
  reserve: ['captures that fail, and reservations that are released', '/buy?capture=later'],
  subscribe: ['charges of a subscription', '/subscribe'],
  change: ['an order that changes while its payment page is open', '/orders/{payment_ref}/change'],
} as const

/** Returns the line that adds a member to a plan. */
export const planLine = (member: keyof typeof OPTIONAL_MEMBERS): string =>
  `"${member}": { "post": "${OPTIONAL_MEMBERS[member][1]}" }`

/** @throws NotCheckedError with the line that would check this */
function requireWay<Way extends keyof typeof OPTIONAL_MEMBERS>(
  shop: ShopUnderCheck,
  way: Way,
): NonNullable<ShopUnderCheck[Way]> {
  const act = shop[way]
  if (act) return act
  throw new NotCheckedError(`The plan has no "${way}". To check this, add: ${planLine(way)}`)
}

/** @throws CheckError if the address is not a payment page of the merchant */
async function findByPage({ gateway }: Stage, page: string): Promise<Purchase> {
  const { api, merchantId, url } = gateway
  const href_token = URL.parse(page)?.pathname.split('/').at(-1) ?? ''
  const { items } = await api.listTransactions({ filter: { href_token } }).page()
  const own = items.find(({ href }) => href === page)
  if (own) return toPurchase(own)
  throw new CheckError(
    `The shop sent the payer to ${page}, which is not a payment page of the merchant ${merchantId} at ${url}.`,
  )
}

const buyBy = (way: 'buy' | 'reserve' | 'subscribe', says: string) => (stage: Stage) => {
  const open = requireWay(stage.shop, way)
  return stage.story.step('buy', `${says} and arrives at the payment page.`, async () =>
    stage.story.remember(await findByPage(stage, await open())),
  )
}

/** Buys as the plan's `buy` says. */
export const buy = buyBy('buy', 'The payer buys')
export const buyWithReservation = buyBy('reserve', 'The payer buys with a reservation')
export const subscribe = buyBy('subscribe', 'The payer subscribes')

/** Starts a purchase that may fail, but not with status 500 or without an answer. */
export async function tryToBuy({ shop, story }: Stage): Promise<void> {
  const open = requireWay(shop, 'buy')
  await story.step('buy', 'The payer tries to buy.', () =>
    open().catch((error) => {
      if (!(error instanceof CheckError)) throw error
      if (error instanceof NoPageError && [0, 500].includes(error.status))
        throw new ShopFault('no answer', error.message)
    }),
  )
}

/** Opens another payment page for an order, as the plan's `retry` says. */
export function buyAgain(stage: Stage, { payment_ref }: Purchase): Promise<Purchase> {
  const retry = requireWay(stage.shop, 'retry')
  const says = `The payer tries to pay ${payment_ref} again and arrives at a payment page.`
  return stage.story.step('buy', says, async () => findByPage(stage, await retry(payment_ref)))
}

/** Changes an order, as the plan's `change` says. */
export const changeOrder: Action = ({ shop, story }, { payment_ref }) => {
  const change = requireWay(shop, 'change')
  return story.step('other', `The order ${payment_ref} is changed.`, () => change(payment_ref))
}

/** Pays on the payment page, and keeps the address that the payer is redirected to. */
const payBy = (card: PayerCard) => (stage: Stage, purchase: Purchase) =>
  stage.story.step(
    card === 'declined' ? 'decline' : 'pay',
    card === 'challenged'
      ? `The payer pays ${purchase.payment_ref} and arrives at the bank.`
      : `The payer pays ${purchase.payment_ref}; the bank's answer is ${card}.`,
    async () => {
      purchase.back = await stage.payer.pay(purchase.href, card)
      if (card === 'approved') await requireApproved(stage, purchase)
      return purchase.back
    },
  )

export const pay = payBy('approved')
export const payDeclined = payBy('declined')
/** Pays, and arrives at the bank, which asks for a code. */
export const payChallenged = payBy('challenged')

export const giveBankCode: Action = ({ payer, story }, purchase) =>
  story.step('pay', "The payer gives the bank's code.", async () => {
    purchase.back = await payer.answerBank(purchase.back, 'right')
  })

export const cancelAtBank: Action = ({ payer, story }, purchase) =>
  story.step('decline', 'The payer cancels at the bank.', async () => {
    purchase.back = await payer.answerBank(purchase.back, 'cancel')
  })

/** Opens an address in the payer's browser, and follows redirects. */
export const visit = (
  { payer, story }: Stage,
  address: string,
  kind: 'return' | 'forged return' = 'return',
): Promise<void> =>
  story.step(kind, `The payer's browser opens ${address}.`, async (note) =>
    note(await payer.visit(address)),
  )

/** Opens the address that the last payment led to. */
export const openReturn: Action = (stage, { back }) => visit(stage, back)

/** Returns the return address as the shop gave it. @throws NotCheckedError if it gave none */
export function getReturnAddress({ success_url }: Purchase): string {
  if (success_url) return success_url
  throw new NotCheckedError(
    'The payment has no return address. Send success_url with it to check this.',
  )
}

/** Opens the return address without the values of a payment. */
export const openSuccessPage: Action = (stage, purchase) => visit(stage, getReturnAddress(purchase))

/** Opens the return address with a made-up status. */
export const openForgedReturn: Action = (stage, purchase) => {
  const forged = { ...describeAttempt(purchase), status: 'approved', hash: '0'.repeat(32) }
  return visit(stage, withQuery(getReturnAddress(purchase), forged), 'forged return')
}

/** Opens the address that a payer is redirected to after a declined attempt. */
export const openErrorPage: Action = (stage, purchase) => {
  const error = { status: 'declined', error_name: 'errors.payment.declined' }
  const address = purchase.error_url || getReturnAddress(purchase)
  return visit(stage, withQuery(address, { ...describeAttempt(purchase), ...error }))
}

const describeAttempt = ({ id, payment_ref }: Purchase) => ({
  transaction_id: String(id),
  payment_ref,
})

/** Returns an address with other values in its query. */
export function withQuery(address: string, values: Readonly<Record<string, string>>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  return url.href
}

/** Pays and returns; then the webhooks arrive. */
export const payAndReturn = joinActions(pay, openReturn, webhooks.deliver)

/** Asserts that the payer's last page was not an error of the server. */
export const mustSeePage: Action = async ({ story }) => {
  const answer = story.steps.findLast(({ kind }) => kind === 'return')?.answers.at(-1) ?? 200
  if (answer >= 500)
    throw new ShopFault('no answer', `The payer has paid, and the return page answered ${answer}.`)
}

/** @throws CheckError if the gateway did not approve the payment of the check */
async function requireApproved(
  { gateway: { api } }: Stage,
  { id, payment_ref }: Purchase,
): Promise<void> {
  const transaction = await api.getTransaction(id)
  if (isPaid(transaction)) return
  // The payer has paid the order on another page.
  const { items } = await api.listTransactions({ filter: { payment_ref } }).page()
  if (items.some(isPaid)) return
  const { status, error, test } = transaction
  const reason = error ? ` (${error.name}: ${error.description})` : ''
  const live = test ? '' : ' The shop makes live payments. Connect a shop that makes test payments.'
  throw new CheckError(
    `The gateway did not approve the payment ${id} of ${payment_ref} by a test card: it is ${status}${reason}.${live}`,
  )
}
