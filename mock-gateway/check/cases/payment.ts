import { buyAndPay, type CheckCase, deliver, mustPay, NEVER, ONCE, payAndReturn } from './case.ts'

/** A payer pays, pays again, or pays another sum. */
export const PAYMENT_CASES: readonly CheckCase[] = [
  {
    name: 'plain',
    done: 'The payer pays and returns; then the webhook arrives.',
    must: ONCE,
    why: 'Most payments happen in this order.',
    async run(stage) {
      const purchase = await stage.payer.buy()
      await mustPay(stage, purchase)
      stage.payer.mustSeePage()
      await stage.staff.mustBeCaptured(purchase)
    },
  },
  {
    name: 'webhook-first',
    done: 'The webhook arrives before the payer returns.',
    must: ONCE,
    why: 'The gateway and the browser are different machines, and the gateway is often quicker.',
    async run(stage) {
      const { purchase, back } = await buyAndPay(stage)
      await stage.webhooks.release(purchase)
      await stage.payer.visit(back)
      await stage.orders.mustBeFulfilledOnce(purchase)
      stage.payer.mustSeePage()
    },
  },
  {
    name: 'payer-never-returns',
    done: 'The payer pays and closes the browser; only the webhook arrives.',
    must: ONCE,
    why: 'Phones lose their connection, and payers close the tab at the receipt.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage)
      await stage.webhooks.release(purchase)
      await stage.orders.mustBeFulfilledOnce(purchase)
      stage.webhooks.mustBeAccepted()
    },
  },
  {
    name: 'webhook-never',
    done: 'The payer pays and returns; the webhook is lost.',
    must: ONCE,
    why: 'Firewalls, maintenance pages and expired certificates stop webhooks for hours.',
    async run(stage) {
      const { purchase, back } = await buyAndPay(stage)
      await stage.webhooks.lose(purchase)
      await stage.payer.visit(back)
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'double-click',
    done: 'The payer presses Pay twice, and two tabs return.',
    must: ONCE,
    why: 'Pages that load slowly are clicked again.',
    async run(stage) {
      const purchase = await stage.payer.buy()
      const backs = await Promise.all([stage.payer.pay(purchase), stage.payer.pay(purchase)])
      await Promise.all(backs.map((back) => stage.payer.visit(back)))
      await deliver(stage, purchase)
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'declined',
    done: 'The bank declines the card; the webhook about it arrives.',
    must: NEVER,
    why: 'A handler that fulfils on every webhook fulfils declined payments.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'declined')
      await deliver(stage, purchase)
      await stage.payer.visit(purchase.successUrl)
      await stage.orders.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'declined-then-paid',
    done: 'The bank declines the card, and the payer pays with another card.',
    must: ONCE,
    why: 'Most payers try again after a decline.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'declined')
      await deliver(stage, purchase)
      await stage.waitForQueue()
      await mustPay(stage, purchase)
    },
  },
  {
    name: 'declined-then-retried',
    done: "The bank declines the card; the payer presses the shop's button for another attempt, and pays.",
    must: ONCE,
    why: 'Shops offer another attempt on the page of a failed order.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'declined')
      await deliver(stage, purchase)
      await stage.waitForQueue()
      const again = await stage.payer.buyAgain(purchase)
      await payAndReturn(stage, again)
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'paid-in-two-tabs',
    done: 'The payer opens two payment pages for one order, and pays on both.',
    must: `Money is taken once. ${ONCE}`,
    why: 'Payers open a second tab when the first one seems to hang.',
    async run(stage) {
      const purchase = await stage.payer.buy()
      const again = await stage.payer.buyAgain(purchase)
      await payAndReturn(stage, purchase)
      await stage.payer.visit(await stage.payer.pay(again))
      await deliver(stage, again)
      await stage.staff.mustBePaidOnce([purchase, again])
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'order-changed',
    done: 'The payer changes the order in another tab while the payment page is open, then pays the old amount.',
    must: 'If the order is fulfilled, it shows the paid amount.',
    why: 'Baskets stay open in a second tab.',
    async run(stage) {
      const purchase = await stage.payer.buy()
      await stage.payer.change(purchase)
      await payAndReturn(stage, purchase)
      await stage.orders.mustBeAsPaid(purchase)
    },
  },
  {
    name: 'other-amount',
    done: 'The payment is changed to 0.01, and the payer pays 0.01.',
    must: NEVER,
    why: 'Plug-ins and staff change payments, and forms contain amounts that payers can edit.',
    async run(stage) {
      const purchase = await stage.payer.buy()
      await stage.staff.change(purchase, { amount: '0.01' })
      await payAndReturn(stage, purchase)
      await stage.orders.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'other-currency',
    done: 'The payment is changed to a cheaper currency, and the payer pays in that currency.',
    must: NEVER,
    why: 'Plug-ins for currencies change payments, and 100 yen are not 100 kronor.',
    async run(stage) {
      const purchase = await stage.payer.buy()
      await stage.staff.change(purchase, {
        currency: purchase.currency.toLowerCase() === 'jpy' ? 'isk' : 'jpy',
      })
      await payAndReturn(stage, purchase)
      await stage.orders.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'paid-after-31-minutes',
    done: 'The payer opens the payment page, and pays after 31 minutes.',
    must: `${ONCE} Or the shop refunds the payment.`,
    why: 'Shops cancel unpaid orders after 30 minutes, and payers look for their card.',
    isAlone: true,
    async run(stage) {
      const purchase = await stage.payer.buy()
      await stage.afterMinutes(31, () => payAndReturn(stage, purchase))
      if (!(await stage.staff.isRefunded(purchase)))
        await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
]
