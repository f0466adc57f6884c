/**
 * Descriptions of each merchant setting, for forms, schemas and error messages. The table in
 * docs/reference/settings.md has the same texts, with links.
 */
export const SETTING_WORDS = {
  account_currency:
    'Currency of the account. For payments in another currency, “cost” includes the exchange fee.',
  card_types: 'Accepted card types. Other types are rejected with error 121.',
  live_cards:
    'Payments with test=false and a card that is not a test card: “simulate” approves them, “refuse” rejects them with error 243.',
  invoice: 'Accept invoice payments. If false, they are rejected with error 181.',
  strict_hash: 'Reject hashes that omit the currency or the test flag.',
  payer_options:
    'Fields that a request without a login may contain: webhook, store_card, authorize, template_id. The hash covers none of them.',
  three_d_secure:
    'Payments with 3-D Secure. “off”: none. “card”: by test card, on the payment page and in the library. “always”: every card payment, also in API calls.',
  three_d_secure_unavailable:
    'Payments whose authentication is unavailable: “accept” continues them, “refuse” declines them with error 169.',
  three_d_secure_question:
    'Default challenge of the simulated bank: code, app, choice, choices or bankid.',
  rules: 'Payment rules in JSON, checked before the bank is asked.',
  fraud_limit:
    'Lowest score that the simulated fraud check declines, from 1 to 100. If unset, no payment is checked.',
  capture_seconds:
    'Seconds until the bank answers a capture. Meanwhile the status is “capture pending”.',
  dunning:
    'Days from each failed charge to the next retry. Retries stay within the period. With [] there are no retries.',
  dunning_end:
    'After the last failed retry, “keep” charges the next period as usual and “cancel” cancels the subscription. The failed period stays unpaid.',
  missed_periods:
    'Charges for missed periods, for example after the gateway was stopped. “each”: charge all of them with their own dates. “latest”: charge only the most recent.',
  settings_hosted:
    "Values for page templates, in JSON. Templates read them from transaction.merchant.settings_hosted['v2'].",
  logo: 'Picture on the payment page: https://…, or data:image/…;base64,… (png, jpeg, gif, webp or svg).',
  frame_parents: 'Origins whose pages may show the payment page in a frame. A port can be *.',
  page_minutes:
    "Minutes until the payment page expires, from its creation or the payer's last request for more time. An expired page returns error 1280. With 0 the page never expires.",
  page_tries:
    'Number of attempts on a payment page. If the last attempt is declined, the payment has failed.',
  page_refused:
    'After a decline, “error_url” redirects the payer to that address and “page” asks for another card.',
  form_in_place:
    'Show the payment page at /v1/form without a redirect, and the bank in a frame. Use it for apps that watch the address of the page. Page templates still open at their own address.',
  payment_methods:
    'Methods on the payment page, in the order of the list: credit_card, invoice, swish, bank, paypal. The page shows only methods that can pay the order.',
  wallets: 'Simulated wallets on the page of a test payment: apple_pay, google_pay.',
  payer_details:
    'Fields that every payer must fill in: email, phone, first_name, last_name, address_1, address_2, zip, city, country_code.',
  stored_card_cvv:
    'Ask for the security code when a stored card pays on the payment page. In test payments this code decides the result, also in API calls that contain one.',
  page_test_helper:
    'Show test cards by result on the page of a test payment, and the correct answer at the simulated bank. With false, both pages look as in production.',
  administrators:
    'People who get a mail when a webhook fails, as a JSON list of {"email": …, "alerts": true}. With alerts: false a person gets no mail.',
  error_object:
    'Add the field “object” to every error. If a payment failed, it contains “transaction”.',
  webhooks:
    'At most 20 webhook templates in JSON, for every transaction and stored card of the merchant.',
  webhook_keys:
    'At most three signing keys: whsec_ followed by base64. Each webhook is signed with all of them. If unset, the key is derived from the secret.',
  webhook_delivery: 'Delays, duplicates and reordering in JSON, to test a webhook handler.',
}
