/** Descriptions of each merchant setting, for forms, schemas and error messages. */
export const SETTING_WORDS = {
  account_currency: 'Currency of the account. Payments in other currencies cost an exchange fee.',
  card_types: 'Card types that the merchant accepts. Other cards are rejected with error 121.',
  live_cards:
    'Result of a payment with test=false and a card that is not a test card: approved, or rejected with error 243.',
  invoice: 'Accept invoice payments. If off, they are rejected with error 181.',
  strict_hash: 'Reject hashes that leave out the currency or the test flag.',
  payer_options:
    'Options that requests without a login may use. The hash does not cover them, so a payer can change them.',
  three_d_secure:
    'Payments that 3-D Secure authenticates: none, those whose test card asks for it, or all card payments.',
  three_d_secure_unavailable:
    'Result if the bank cannot authenticate the payer: the payment continues, or is declined with error 169.',
  three_d_secure_question:
    'Challenge type of the simulated bank, if neither the card nor the payment sets one.',
  rules: 'Rules that check each payment before it is sent to the bank, as JSON. At most 50.',
  fraud_limit:
    'Lowest score, from 1 to 100, that the simulated fraud check rejects. If empty, nothing is checked.',
  capture_seconds: 'Seconds until the bank answers a capture. 0 means immediately.',
  dunning:
    'Days between a failed subscription charge and each retry. After the last retry the period stays unpaid.',
  dunning_end:
    'After the last failed retry: keep charges the next period as usual, cancel ends the subscription.',
  missed_periods:
    'How to handle missed billing periods: charge each one with its own date, or only the latest.',
  settings_hosted:
    'Values for page templates, as JSON. Templates read them from transaction.merchant.settings_hosted.',
  logo: 'Picture on the payment page: an https address, or a data URL in base64. If empty, the page shows the first letter of the name.',
  frame_parents: 'Origins whose pages may show the payment page in a frame. The port can be *.',
  page_minutes: 'Minutes until a payment page expires. 0 means never.',
  page_tries:
    'Number of attempts to pay on a payment page. If the last attempt is declined, the payment has failed.',
  page_refused:
    'After a declined payment: send the payer to error_url, or let the payer try another card on the page.',
  form_in_place:
    'Answer the form with the payment page itself and show the bank in a frame, instead of redirecting.',
  payment_methods:
    'Payment methods on the payment page, in this order. Methods that cannot pay the order are left out.',
  wallets: 'Simulated wallets that the page of a test payment offers in addition to the card.',
  payer_details: 'Contact details that the payment page asks every payer for.',
  stored_card_cvv: 'Ask for the security code again if the payer uses a stored card on the page.',
  page_test_helper:
    'Show test cards by their result on the page of a test payment, and all possible answers at the simulated bank.',
  administrators: 'People to e-mail when a webhook fails, as JSON.',
  error_object: 'Add object to every error. If a payment failed, it contains the transaction.',
  webhooks: 'Webhooks for every transaction and stored card, as JSON. At most 20.',
  webhook_keys:
    'Keys that sign webhooks. At most three. If empty, the key is derived from the secret.',
  webhook_delivery: 'Delay, duplicate or reorder webhooks to test a handler, as JSON.',
}
