import {
  ASK,
  BOTH_WAYS,
  buyAndPay,
  type CheckCase,
  deliver,
  mustPay,
  NEVER,
  ONCE,
  STAY_OPEN,
} from './case.ts'

/** The bank asks the payer (3-D Secure). */
export const BANK_CASES: readonly CheckCase[] = [
  {
    name: 'bank-approves',
    done: 'The bank asks the payer for a code; the payer gives it and returns.',
    must: ONCE,
    why: 'Most cards in Europe are paid like this.',
    fix: BOTH_WAYS,
    async run(stage) {
      const { purchase, back: bank } = await buyAndPay(stage, 'asked')
      await stage.visit(await stage.answerBank(bank, 'right'))
      await deliver(stage, purchase)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'bank-cancelled',
    done: 'The payer cancels at the bank and opens the return address.',
    must: NEVER,
    why: 'Payers have no code at hand, or change their mind.',
    fix: ASK,
    async run(stage) {
      const { purchase, back: bank } = await buyAndPay(stage, 'asked')
      await stage.answerBank(bank, 'cancel')
      await deliver(stage, purchase)
      await stage.visit(purchase.successUrl)
      await stage.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'bank-window-closed',
    done: "The payer closes the bank's page, and opens the return address.",
    must: NEVER,
    why: 'Payers close what they do not understand, and no message follows.',
    fix: 'A payment with status 3ds pending is not paid. Fulfil only if status is approved or authorized.',
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'asked')
      await deliver(stage, purchase)
      await stage.visit(purchase.successUrl)
      await stage.mustNotBeFulfilled(purchase)
    },
  },
  {
    name: 'bank-late',
    done: 'The payer opens the return address while the bank still asks; then the bank approves.',
    must: ONCE,
    why: "Banks ask in an app, and payers return to the shop's tab before they open it.",
    fix: STAY_OPEN,
    async run(stage) {
      const { purchase, back: bank } = await buyAndPay(stage, 'asked')
      await stage.visit(purchase.successUrl)
      await stage.answerBank(bank, 'right')
      await stage.release(purchase)
      await stage.mustBeFulfilledOnce(purchase)
    },
  },
  {
    name: 'back-from-bank',
    done: 'The payer goes Back from the bank to the shop, then pays with another card.',
    must: ONCE,
    why: 'Payers take another card if the first bank asks too much.',
    fix: STAY_OPEN,
    async run(stage) {
      const { purchase } = await buyAndPay(stage, 'asked')
      await stage.visit(purchase.successUrl)
      await mustPay(stage, purchase)
    },
  },
]
