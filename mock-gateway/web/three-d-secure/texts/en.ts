import { AUTHENTICATION_RESULTS } from '../../pages/authentication-results.ts'
import type { BankTexts } from './sv.ts'

/** Places to choose from. */
const PLACES = {
  cafe: 'At a café',
  train: 'On the train',
  books: 'In a bookshop',
  shoes: 'In a shoe shop',
  none: 'At none of these',
}

/** Texts of the 3-D Secure pages in English. */
export const en: BankTexts = {
  simulated: 'Simulated bank',
  simulated_hint: 'Test environment: this is not a real bank, and no money moves.',
  merchant: 'Shop',
  amount: 'Amount',
  date: 'Date',
  card: 'Card',
  code: 'One-time code',
  code_hint: 'The code here is 1234. The bank declines after 0000, or after three wrong codes.',
  confirm: 'Confirm',
  cancel: 'Cancel the purchase',
  new_code: 'Send a new code',
  new_code_sent: 'A new code has been sent.',
  code_is: 'The code is 1234.',
  more_time: 'Give me more time',
  time_left: 'Minutes left:',
  help: 'Need help?',
  help_text:
    "Your bank is checking that it's you. The code comes by text message or in the bank's app.",
  help_code: 'This bank is simulated: the code is always 1234.',
  choose: 'Choose the result',
  error_prefix: 'Error:',
  tries_left: 'Tries left:',
  waiting: 'Your bank is processing this',
  waiting_hint: 'Wait for the answer. This page updates automatically.',
  reload: 'Update now',
  answered: 'The bank has answered',
  answered_hint: 'Continue to the payment.',
  go_on: 'Continue',
  verified: 'Verification complete',
  not_verified: 'The verification was not approved',
  close_hint: 'You can close this window and go back to the shop.',
  close: 'Close the window',
  ended: 'This confirmation has ended',
  ended_hint: 'The link may be too old, or a part of it is missing.',
  sorry: 'Something went wrong',
  sorry_hint: 'Go back to the shop to see the status of your order.',
  previous: 'Back to the previous page',
  right_is: 'Correct answer:',
  app_code: 'QR code of the simulated app',
  open_app: 'Open the simulated app',
  has_answered: 'I have answered, continue',
  app: 'Simulated app',
  app_done: 'There is nothing more to answer here',
  app_said: 'You answered:',
  app_done_hint: 'Close the window and go back to the payment.',
  after_seconds: 'Delay in seconds:',
  results: AUTHENTICATION_RESULTS.en,
  questions: {
    code: {
      title: 'Confirm your purchase',
      wrong: 'The code is wrong. Try again.',
      says: { asked: 'Your bank has sent you a code.' },
      answers: {},
    },
    app: {
      title: "Confirm the purchase in your bank's app",
      wrong: '',
      says: {
        waiting:
          "Open your bank's app and approve the purchase there. This page continues automatically.",
      },
      answers: { approve: 'Approve', deny: 'Deny' },
    },
    choice: {
      title: "Answer your bank's question",
      wrong: 'The answer is wrong. Try again.',
      says: { asked: 'Where did you last pay with the card?' },
      answers: PLACES,
    },
    choices: {
      title: "Answer your bank's question",
      wrong: 'The answer is wrong. Try again.',
      says: { asked: 'Where have you paid with the card this week? Choose all that are right.' },
      answers: PLACES,
    },
    bankid: {
      title: 'Confirm the purchase with your electronic ID',
      wrong: '',
      says: {
        waiting: 'Open the app of your electronic ID and scan the code.',
        scanned: 'The code has been scanned. Now sign with your electronic ID in the app.',
      },
      answers: { scan: 'Scan the code', sign: 'Sign', deny: 'The ID is blocked' },
    },
  },
}
