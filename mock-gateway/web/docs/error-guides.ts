import type { ErrorName } from '../../domain/errors/errors.ts'

/**
 * Why a request gets an error, and how to fix it, in Markdown. Links start at the first page of
 * `/docs`.
 */
interface ErrorGuide {
  readonly cause: string
  readonly fix: string
}

const HASH = '[How the hash works](explanation/hash)'
const CARDS = '[test cards](reference/test-cards)'

/**
 * Errors that people meet while they integrate a shop. Pages of all other errors have no advice of
 * their own.
 */
export const ERROR_GUIDES: Readonly<Partial<Record<ErrorName, ErrorGuide>>> = {
  'errors.template.not_found': {
    cause:
      'The transaction names a `template_id` that does not exist, or that belongs to another merchant.',
    fix: 'Create the [page template](reference/templates#create-a-template), or leave out `template_id` to use the built-in page.',
  },
  'errors.hash.missing': {
    cause: 'The request creates a payment and has no `hash`. A login does not replace the hash.',
    fix: `Calculate the hash on your server and send it. ${HASH}.`,
  },
  'errors.hash.invalid': {
    cause:
      'The hash is the MD5 of another text. Usual mistakes: the amount is hashed as `10` and sent as `10.00`, the currency is in upper case, `test` is missing, or the secret belongs to another merchant.',
    fix: `Compare your text with the text in \`Mondido-Explain\`, or enter your order on the console page Request hash. ${HASH}.`,
  },
  'errors.amount.invalid': {
    cause: 'The amount is 0.00 or negative, and the payment has no plan.',
    fix: 'Send the amount of the order. 0.00 is allowed only with `plan_id`, to [start a subscription](how-to/subscriptions).',
  },
  'errors.amount.invalid_format': {
    cause: 'The amount does not have exactly two decimals after a point.',
    fix: 'Write `10.00`, not `10`, `10.0` or `10,00`. Hash the same text that you send.',
  },
  'errors.success_url.missing': {
    cause:
      'The payment is prepared with `process=false`, and the payer would have no address to return to.',
    fix: 'Send `success_url` and `error_url`, both with `https://` or `http://`.',
  },
  'errors.error_url.missing': {
    cause:
      'The payment is prepared with `process=false`, and the payer would have no address after a decline.',
    fix: 'Send `success_url` and `error_url`, both with `https://` or `http://`.',
  },
  'errors.currency.unsupported': {
    cause: 'The gateway does not support this currency.',
    fix: 'Send a supported code of three letters, such as `sek` or `eur`.',
  },
  'errors.card_number.invalid': {
    cause:
      'The number is mistyped, or it does not fit `test`: test cards pay only with `test=true`, other numbers only with `test=false`.',
    fix: `Use one of the ${CARDS} with \`test=true\`. Never send a real card.`,
  },
  'errors.card_type.missing': {
    cause: 'A card is stored without `card_type`. Payments do not need it.',
    fix: 'Send `card_type=VISA` or another type with `POST /v1/stored_cards`.',
  },
  'errors.card_type.unsupported': {
    cause: 'The type is unknown, or the merchant does not accept it.',
    fix: 'Add the type to the setting [`card_types`](reference/settings#payments), or use another card.',
  },
  'errors.card_cvv.invalid': {
    cause: 'The security code is wrong. In test payments, CVV 202 causes this error.',
    fix: 'Let the payer type the code again. In a test, use CVV 200.',
  },
  'errors.card.expired': {
    cause: 'The card has expired. In test payments, CVV 203 causes this error.',
    fix: 'Let the payer use another card. In a test, use a future expiry and CVV 200.',
  },
  'errors.transaction.not_found': {
    cause: 'No transaction of this merchant has the id. A reset deletes all transactions.',
    fix: 'Use an id from an answer of the same merchant. `GET /v1/transactions` lists them.',
  },
  'errors.transaction.timeout': {
    cause:
      'The payer did not finish in time: the payment page, the app or the 3-D Secure challenge has expired.',
    fix: 'Prepare a new payment. The setting [`page_minutes`](reference/settings#payment-page) sets the time of the page.',
  },
  'errors.payment.declined': {
    cause: 'The bank declined the payment. In test payments, CVV 201 causes this error.',
    fix: 'Let the payer use another card. The order is unpaid, so the same `payment_ref` can be paid again.',
  },
  'errors.amount.excess': {
    cause:
      'The refunds together are larger than the captured amount, or a capture is larger than the reserved amount.',
    fix: 'Read the transaction: `amount` and `refunds` show the remaining amount.',
  },
  'errors.stored_card.not_found': {
    cause: 'The token or id of the stored card is wrong, or it belongs to another merchant.',
    fix: 'Read the token with `GET /v1/stored_cards`. See [take a payment with a stored card](how-to/stored-cards).',
  },
  'errors.unauthorized': {
    cause: 'The request has no login, and this call needs one.',
    fix: 'Send HTTP Basic with the merchant id as user and the API password as password. The secret is only for the hash.',
  },
  'errors.authentication.failed': {
    cause: 'The merchant id or the API password is wrong.',
    fix: 'Check both with `curl -u 1:custom00`. The console page Settings sets a new password.',
  },
  'errors.account.locked': {
    cause: 'Ten wrong passwords in a row have locked the login for 30 minutes.',
    fix: 'Wait, set a new password, or start the gateway with the merchant’s password: each of them unlocks the login.',
  },
  'errors.payment_ref.processed': {
    cause:
      'An order with this `payment_ref` is paid, reserved or being paid. Each order can be paid only once.',
    fix: 'Use a new `payment_ref` for a new order. In tests, use a random one or a [reset](how-to/problems#reset-between-tests). If you retry a lost answer, send the same `mondido_attempt`: [lose an answer](how-to/lose-an-answer).',
  },
  'errors.stored_card.not_test': {
    cause: 'A live card pays with `test=true`.',
    fix: 'Send `test=false`, or store a test card.',
  },
  'errors.stored_card.is_test': {
    cause: 'A test card pays with `test=false`.',
    fix: 'Send `test=true`.',
  },
  'errors.stored_card.not_active': {
    cause: 'The stored card is cancelled.',
    fix: 'Ask the payer for a card, and store it again.',
  },
  'errors.webhook.invalid': {
    cause:
      'The webhook has no `trigger`, or its address is not allowed, such as a link-local address.',
    fix: 'Send `trigger` and an [allowed address](reference/webhooks#allowed-addresses).',
  },
  'errors.transaction.processed': {
    cause: 'The transaction has a final status, so this change is too late.',
    fix: 'Read its `status` first. To return money, make a refund.',
  },
  'errors.transaction.locked': {
    cause: 'The bank is working on the transaction, for example on a capture.',
    fix: 'Wait until the status changes, or move the [clock](reference/control#captures-that-take-time-or-fail).',
  },
  'errors.reservation.not_approved': {
    cause:
      'Only an authorized transaction can be captured, and only a captured transaction can be refunded.',
    fix: 'Read its `status`. Create the payment with `authorize=true` to capture it later.',
  },
  'errors.mpi.not_approved': {
    cause: '3-D Secure did not authenticate the payer.',
    fix: 'Let the payer try again or use another card. In a test, choose a card by its [3-D Secure result](reference/test-cards#cards-with-3-d-secure).',
  },
  'errors.mpi.invalid': {
    cause: 'The answer of 3-D Secure is broken, was used before, or belongs to another payment.',
    fix: 'Start the payment again. Use each `ref` once, and with the order that was authenticated.',
  },
  'errors.webhook.failed': {
    cause:
      'The handler of a `before_payment` webhook did not answer with status 200 to 299 within 10 seconds.',
    fix: 'Open the delivery in the console, and fix the handler. See [before the payment](reference/webhooks#before-the-payment).',
  },
  'errors.not_found': {
    cause: 'No call has this address and method.',
    fix: 'Compare the address with the [list of calls](reference/api). Paths start with `/v1`.',
  },
  'errors.decryption.failed': {
    cause: 'An encrypted parameter was encrypted with another key.',
    fix: 'Load the library from this gateway with the right `merchant_id`, or configure the merchant’s current public key.',
  },
  'errors.merchant.invalid': {
    cause: 'The login belongs to one merchant, and `merchant_id` names another.',
    fix: 'Leave out `merchant_id`, or send the id of the login.',
  },
  'errors.amount.mismatch': {
    cause: 'The amount of the transaction changed after the payer had opened the payment page.',
    fix: 'The page shows the new amount, and the payer confirms it. Avoid changes while a payer is on the page.',
  },
  'errors.filter_parameter.not_supported': {
    cause: 'The list cannot be filtered or sorted by this field.',
    fix: '`Mondido-Explain` lists the fields. See [lists](reference/api#lists).',
  },
  'errors.service_not_available': {
    cause:
      'A card that is not a test card was sent with `test=false`, and the setting `live_cards` is `refuse`. With status 503, the database or the machine failed.',
    fix: `Use one of the ${CARDS} with \`test=true\`. Never send a real card. After status 503, \`Mondido-Explain\` contains the cause.`,
  },
  'errors.request.bad_format': {
    cause:
      'A parameter has a value that cannot be read, or a call of the control API has an unknown parameter.',
    fix: '`Mondido-Explain` names the parameter and the allowed values.',
  },
}
