/** What each setting of a merchant is for: forms, schemas and refusals say it in these words. */
export const SETTING_WORDS = {
  account_currency: 'Currency of the account. A payment in another one costs the exchange fee.',
  card_types: 'Card types that the merchant takes. A card of another type is refused with 121.',
  live_cards: 'What happens to a card that is no test card when test is false: it is approved, or refused with 243.',
  invoice: 'Whether invoices can be paid. Without, they are refused with 181.',
  strict_hash: 'Refuses hashes that leave out the currency or the test flag.',
  payer_options: 'What a request without a login may ask for. No hash covers these, so a payer can change them.',
  three_d_secure: 'Which payments 3-D Secure authenticates: none, by test card, or all by card.',
  three_d_secure_unavailable:
    'What follows when the bank cannot authenticate: the payment is taken, or refused with 169.',
  three_d_secure_question: 'How the simulated bank asks, where neither the card nor the payment says.',
  rules: 'Rules that payments are looked at with before the bank is asked, at most 50, as JSON.',
  fraud_limit: 'Score, 1 to 100, from which the simulated fraud check refuses. Without it nothing is checked.',
  capture_seconds: 'How long the bank takes for a capture, in seconds; 0: it answers at once.',
  dunning:
    'Days from each failed charge of a subscription to the next try. After the last one the period stays unpaid.',
  dunning_end: 'What follows after the last try: the next period is charged, or the subscription is cancelled.',
  missed_periods: 'Periods that nobody charged in time: each is charged with its own date, or the latest only.',
  settings_hosted: 'What page templates read at transaction.merchant.settings_hosted, as JSON.',
  logo: 'Picture on the payment page: an https address, or a data URL in base64. Without, the first letter of the name.',
  frame_parents: 'Origins whose pages may show the payment page in a frame. A port may be *.',
  page_minutes: 'Minutes that a payment page can be paid. 0 is for ever.',
  page_tries: 'How often a payment page asks the bank. When the last time is refused, the payment has failed.',
  page_refused: 'Where a payer goes whom the bank refuses: to error_url, or nowhere, to try another card.',
  form_in_place:
    'Answers the form with the payment page itself, and shows the bank in a frame, instead of redirecting.',
  payment_methods: 'What the payment page offers, in this order, where it can pay the order.',
  wallets: 'Simulated wallets that the page of a test payment offers beside the card.',
  payer_details: 'What the payment page asks every payer for.',
  stored_card_cvv: 'Asks for the security code again when a stored card pays on the page.',
  page_test_helper:
    'Offers test cards by their outcome on the page of a test payment, and every answer at the simulated bank.',
  administrators: 'Who is mailed about webhooks that are not taken, as JSON.',
  error_object: 'Adds object to every error, with the transaction where a payment was refused.',
  webhooks: 'Webhooks of every transaction and stored card, at most 20, as JSON.',
  webhook_keys: 'Keys that webhooks are signed with, at most three. Without any, one follows from the secret.',
  webhook_delivery: 'Sends webhooks late, twice or out of order, to test a handler, as JSON.',
}
