import { CheckError, NoPageError, NotCheckedError, ShopFault } from './errors.ts'
import type { GatewayClient } from './gateway.ts'
import type { StageParts } from './parts.ts'
import { createPayer } from './payer.ts'
import type { ShopUnderCheck } from './plan.ts'
import { isPaid, type PayerCard, type Purchase, toPurchase } from './purchase.ts'

/** The payer who buys in the shop as the plan says, and pays on the payment page. */
export function buyInShop({ gateway, shop, story }: StageParts) {
  const { api, merchantId, url } = gateway
  const payer = shop.createPayer?.(url) ?? createPayer(url, shop.timeout)

  /** @throws CheckError if the address is not a payment page of the merchant */
  async function findByPage(page: string): Promise<Purchase> {
    const href_token = URL.parse(page)?.pathname.split('/').at(-1) ?? ''
    const { items } = await api.listTransactions({ filter: { href_token } }).page()
    const own = items.find(({ href }) => href === page)
    if (own) return toPurchase(own)
    throw new CheckError(
      `The shop sent the payer to ${page}, which is not a payment page of the merchant ${merchantId} at ${url}.`,
    )
  }
  const buyBy = (says: string, open: () => Promise<string>) =>
    story.step('buy', says, async () => story.remember(await findByPage(await open())))

  return {
    buy: () => buyBy('The payer buys and arrives at the payment page.', requireWay(shop, 'buy')),
    /** Starts a purchase that may fail, but not with status 500 or without an answer. */
    async tryToBuy() {
      const buy = requireWay(shop, 'buy')
      await story.step('buy', 'The payer tries to buy.', () =>
        buy().catch((error) => {
          if (!(error instanceof CheckError)) throw error
          if (error instanceof NoPageError && [0, 500].includes(error.status))
            throw new ShopFault('no answer', error.message)
        }),
      )
    },
    /** Opens another payment page for an order, as the plan's `retry` says. */
    buyAgain({ paymentRef }: Purchase): Promise<Purchase> {
      const retry = requireWay(shop, 'retry')
      const says = `The payer tries to pay ${paymentRef} again and arrives at a payment page.`
      return story.step('buy', says, async () => findByPage(await retry(paymentRef)))
    },
    /** Buys with a reservation, as the plan's `reserve` says. */
    reserve: () =>
      buyBy(
        'The payer buys with a reservation and arrives at the payment page.',
        requireWay(shop, 'reserve'),
      ),
    /** Begins a subscription, as the plan's `subscribe` says. */
    subscribe: () =>
      buyBy('The payer subscribes and arrives at the payment page.', requireWay(shop, 'subscribe')),
    /** Changes an order, as the plan's `change` says. */
    change({ paymentRef }: Purchase): Promise<void> {
      const change = requireWay(shop, 'change')
      return story.step('other', `The order ${paymentRef} is changed.`, () => change(paymentRef))
    },
    /**
     * Pays on the payment page.
     * @returns the address that the payer is redirected to: the shop's, or the bank's
     */
    pay: (purchase: Purchase, card: PayerCard = 'approved'): Promise<string> =>
      story.step(
        card === 'declined' ? 'decline' : 'pay',
        card === 'challenged'
          ? `The payer pays ${purchase.paymentRef} and arrives at the bank.`
          : `The payer pays ${purchase.paymentRef}; the bank's answer is ${card}.`,
        async () => {
          const address = await payer.pay(purchase.page, card)
          if (card === 'approved') await requireApproved(gateway, purchase)
          return address
        },
      ),
    /**
     * Answers at the bank.
     * @returns the address that the payer is redirected to
     */
    answerBank: (address: string, answer: 'right' | 'cancel') =>
      story.step(
        answer === 'right' ? 'pay' : 'decline',
        answer === 'cancel' ? 'The payer cancels at the bank.' : "The payer gives the bank's code.",
        () => payer.answerBank(address, answer),
      ),
    /** The payer arrives at an address and follows redirects. */
    visit: (address: string, kind: 'return' | 'forged return' = 'return') =>
      story.step(kind, `The payer's browser opens ${address}.`, async (note) =>
        note(await payer.visit(address)),
      ),
    /** Asserts that the payer's last page was not an error of the server. */
    mustSeePage() {
      const answer = story.steps.findLast(({ kind }) => kind === 'return')?.answers.at(-1) ?? 200
      if (answer >= 500)
        throw new ShopFault(
          'no answer',
          `The payer has paid, and the return page answered ${answer}.`,
        )
    },
  }
}

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

/** @throws CheckError if the gateway did not approve the payment of the check */
async function requireApproved(
  { api }: GatewayClient,
  { id, paymentRef }: Purchase,
): Promise<void> {
  const { status, error, test } = await api.getTransaction(id)
  if (isPaid(status)) return
  // The payer has paid the order on another page.
  const { items } = await api.listTransactions({ filter: { payment_ref: paymentRef } }).page()
  if (items.some((other) => isPaid(other.status))) return
  const reason = error ? ` (${error.name}: ${error.description})` : ''
  const live = test ? '' : ' The shop makes live payments. Connect a shop that makes test payments.'
  throw new CheckError(
    `The gateway did not approve the payment ${id} of ${paymentRef} by a test card: it is ${status}${reason}.${live}`,
  )
}
