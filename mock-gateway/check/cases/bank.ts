import { buyAndPay, type CheckCase, deliver, mustPay, NEVER, ONCE } from './case.ts'

/** The bank asks the payer (3-D Secure). */
export const BANK_CASES: readonly CheckCase[] = [
  {
    name: 'bank-approves',
    done: 'The bank asks the payer for a code; the payer enters it and returns.',
    must: ONCE,
    why: 'Most card payments in Europe are authenticated like this.',
    async run(stage) {
      const { purchase, back: bank } = await buyAndPay(stage, 'challenged')
      await stage.payer.visit(await stage.payer.answerBank(bank, 'right'))
      await deliver(stage, purchase)
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'bank-cancelled',
    done: 'The payer cancels at the bank and opens the return address.',
    must: NEVER,
    why: 'Payers have no code at hand, or change their mind.',
    async run(stage) {
      const { purchase, back: bank } = await buyAndPay(stage, 'challenged')
      await stage.payer.answerBank(bank, 'cancel')
      await deliver(stage, purchase)
      await stage.payer.visit(purchase.successUrl)
      await stage.orders.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'bank-window-closed',
    done: "The payer closes the bank's page, and opens the return address.",
    must: NEVER,
    why: 'Payers close pages that they do not understand, and the shop gets no message.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'challenged')
      await deliver(stage, purchase)
      await stage.payer.visit(purchase.successUrl)
      await stage.orders.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'bank-late',
    done: 'The payer opens the return address before answering the bank; then the bank approves.',
    must: ONCE,
    why: "The bank asks in its app, and the payer returns to the shop's tab before opening the app.",
    async run(stage) {
      const { purchase, back: bank } = await buyAndPay(stage, 'challenged')
      await stage.payer.visit(purchase.successUrl)
      await stage.waitForQueue()
      await stage.payer.answerBank(bank, 'right')
      await stage.webhooks.release(purchase)
      await stage.orders.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'back-from-bank',
    done: 'The payer goes Back from the bank to the shop, then pays with another card.',
    must: ONCE,
    why: "Payers change the card if the bank's questions take too long.",
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'challenged')
      await stage.payer.visit(purchase.successUrl)
      await stage.waitForQueue()
      await mustPay(stage, purchase)
    },
  },
]
