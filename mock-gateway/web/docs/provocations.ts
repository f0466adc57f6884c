import type { ErrorKey, ErrorName } from '../../domain/errors/errors.ts'

/**
 * How to trigger each error that a single call can cause. `/docs` prints the texts, and
 * test/gateway/errors makes the calls. Other errors are requested by name or number in test mode:
 * see `provocationOf`.
 */
export const PROVOCATIONS = {
  'errors.template.not_found': 'a `template_id` that is not a number',
  'errors.merchant.not_found': 'an unknown `merchant_id`, without a login',
  'errors.merchant_id.missing': 'a form to `/v1/form` without `merchant_id`',
  'errors.hash.missing': 'a payment without `hash`',
  'errors.hash.invalid': 'a payment with the `hash` of another order',
  'errors.amount.missing': 'a payment without `amount`',
  'errors.amount.invalid': 'a card payment of `0.00` without a plan',
  'errors.amount.invalid_format': 'a card payment of `10.0`, with one decimal',
  'errors.success_url.missing': '`process=false` without `success_url`',
  'errors.success_url.not_valid_uri': 'a relative `success_url`, such as `/thanks`',
  'errors.success_url.forbidden_uri': 'a script as `success_url`, such as `javascript:alert(1)`',
  'errors.success_url.reserved': 'the payment page itself as `success_url`',
  'errors.error_url.missing': '`process=false` without `error_url`',
  'errors.error_url.not_valid_uri': 'a relative `error_url`, such as `/sorry`',
  'errors.error_url.forbidden_uri': 'a script as `error_url`, such as `javascript:alert(1)`',
  'errors.error_url.reserved': 'the payment page itself as `error_url`',
  'errors.currency.invalid': 'a `currency` of four letters',
  'errors.currency.missing': 'a payment without `currency`',
  'errors.currency.unsupported': 'a `currency` that is not in the list, such as `XAF`',
  'errors.card_number.missing': 'a card payment without `card_number`',
  'errors.card_number.invalid': 'a mistyped `card_number`, such as `4111111111111112`',
  'errors.card_type.missing': 'storing a card without `card_type`',
  'errors.card_type.unsupported': 'an unknown `card_type`, such as `gold`',
  'errors.card_holder.missing': 'a card payment without `card_holder`',
  'errors.card_holder.invalid': 'a card number as `card_holder`',
  'errors.card_cvv.missing': 'a card payment without `card_cvv`',
  'errors.card_cvv.invalid': 'a test card with `card_cvv=202`',
  'errors.card_expiry.missing': 'a card payment without `card_expiry`',
  'errors.card_expiry.invalid': 'a `card_expiry` in month 13',
  'errors.transaction.not_found': 'an unknown transaction id',
  'errors.mpi.invalid': 'a `ref` that does not come from the 3-D Secure window',
  'errors.payment.declined': 'a test card with `card_cvv=201`',
  'errors.card.expired': 'a test card with `card_cvv=203`',
  'errors.reason.missing': 'a refund without `reason`',
  'errors.amount.excess': 'a refund of more than was paid',
  'errors.plan.not_found': 'an unknown plan id',
  'errors.plan.missing': 'a subscription without `plan_id`',
  'errors.plan.invalid': 'a `plan_id` that is not a number',
  'errors.plan.deactivated': 'a payment with the `plan_id` of a cancelled plan',
  'errors.price.missing': 'a payment with a plan that has no price in its `currency`',
  'errors.stored_card.not_found': 'an unknown stored card id',
  'errors.unauthorized': 'a call without a login',
  'errors.subscription.not_found': 'an unknown subscription id',
  'errors.customer.not_found': 'an unknown customer id',
  'errors.customer.missing': 'a subscription with neither stored card nor customer',
  'errors.payment_ref.invalid': 'a payment without `payment_ref`',
  'errors.payment_ref.processed': 'a second payment for a `payment_ref` that is paid',
  'errors.status.invalid': 'a stored card with `status=deleted`',
  'errors.json.malformed': '`metadata` that is not JSON',
  'errors.stored_card.not_active': 'a payment with the token of a cancelled card',
  'errors.webhook.failed': 'a `webhook` for `before_payment` with an address that does not answer',
  'errors.webhook.invalid': 'a `webhook` without `trigger`',
  'errors.transaction_id.missing': 'a refund without `transaction_id`',
  'errors.transaction.processed': 'a new `amount` for an approved transaction',
  'errors.invoice.not_purchable': 'an invoice with `country_code=DNK`',
  'errors.reservation.not_approved': 'a capture of a pending transaction',
  'errors.personal_number.missing': 'an invoice without `personal_number`',
  'errors.zip.missing': 'an invoice without `zip`',
  'errors.first_name.missing': 'an invoice without `first_name`',
  'errors.last_name.missing': 'an invoice without `last_name`',
  'errors.country_code.missing': 'an invoice without `country_code`',
  'errors.address.missing': 'an invoice without `address_1`',
  'errors.city.missing': 'an invoice without `city`',
  'errors.payment_details.missing': 'an invoice without `payment_details`',
  'errors.company_name.missing': 'an invoice with `segmentation=b2b` without `company_name`',
  'errors.payment_details.invalid': '`payment_details` as a list',
  'errors.customer_ref.invalid': 'a `customer_ref` of 256 characters',
  'errors.items.missing': 'an invoice without `items`',
  'errors.stored_card.not_test': 'the token of a live card with `test=true`',
  'errors.stored_card.is_test': 'the token of a test card with `test=false`',
  'errors.stored_card.recurring':
    'the token of a card stored with `recurring=true`, without `plan_id`',
  'errors.subscription.status_invalid': 'a cancelled subscription with `status=active`',
  'errors.subscription.paid': 'a change of a subscription whose periods are all paid',
  'errors.customer_ref.taken': 'a second customer with the same `ref`',
  'errors.merchant.invoice.not_configured':
    'an invoice of a merchant with the setting `invoice: false`',
  'errors.authentication.failed': 'a wrong password',
  'errors.name.missing': 'a plan without `name`',
  'errors.interval_unit.missing': 'a plan without `interval_unit`',
  'errors.interval_unit.invalid': 'a plan with `interval_unit=weeks`',
  'errors.prices.missing': 'a plan without `prices`',
  'errors.interval.missing': 'a plan without `interval`',
  'errors.interval.invalid': 'a plan with `interval=0`',
  'errors.prices.invalid': 'a plan with a price that is not a number',
  'errors.encrypted_param.missing': 'a name in `encrypted` whose parameter is not sent',
  'errors.not_found': 'a path that does not exist',
  'errors.decryption.failed': 'a parameter that was encrypted with another key',
  'errors.reason.too_long': 'a refund with a `reason` of 256 characters',
  'errors.encoding.invalid': 'a parameter that is not UTF-8',
  'errors.merchant.invalid': 'a login, and the `merchant_id` of another merchant',
  'errors.webhook.not_found': 'an unknown webhook id',
  'errors.filter_parameter.not_supported':
    'a filter on a field without filter, such as `filter[card_cvv]`',
  'errors.filter_value.not_supported': 'a number filter with a value that is not a number',
  'errors.account.locked': 'any call after ten failed logins',
  'errors.ssn_or_country.missing': 'an address look-up without `ssn`',
  'errors.ssn_token.failed': 'an address look-up with the `token` of another page',
  'errors.metadata.invalid': '`metadata` that is a number',
  'errors.missing_or_invalid.ssn': 'an invoice with an invalid `personal_number`',
  'errors.missing_or_too_long.first_name': 'an invoice with a `first_name` of 101 characters',
  'errors.missing_or_too_long.last_name': 'an invoice with a `last_name` of 101 characters',
  'errors.invalid.email': 'an invoice with an `email` without @',
  'errors.missing_or_invalid.phone_number': 'a `swish_number` that is not a number',
  'errors.missing_or_too_long.address_1': 'an invoice with an `address_1` of 101 characters',
  'errors.missing_or_too_long.city': 'an invoice with a `city` of 101 characters',
  'errors.missing_or_too_long.zip_code': 'an invoice with a `zip` of 11 characters',
  'errors.missing_or_invalid.country_code': 'an invoice with a `country_code` in digits',
  'errors.invoice.credit_approval_failed': 'an invoice to the test person `199610202385`',
  'errors.invoice.amount.requested.lower_than_minimum_purchase_amount':
    'an invoice to the test person `199312172381`',
  'errors.invoice.amount.requested.higher_than_maximum_purchase_amount':
    'an invoice to the test person `199312162390`',
  'errors.helper.ssn.invalid_format': 'an address look-up with an `ssn` that is not a number',
  'errors.helper.ssn.for_sweden_must_be_12_digits':
    'an invoice to a Swedish `personal_number` without its century',
  'errors.service_not_available':
    '`test=false` at a merchant with the setting `live_cards: refuse`',
  'errors.request.json_error': 'a body that is not valid JSON',
  'errors.request.bad_format': 'a `test` that is neither true nor false',
  'errors.items.vat_missing': 'an invoice with an item without `vat`',
  'errors.items.artno_missing': 'an invoice with an item without `artno`',
  'errors.items.qty_missing': 'an invoice with an item without `qty`',
  'errors.items.notes_too_long': 'an item with `notes` of 251 characters',
  'errors.items.not_array': '`items` that are not a list',
  'errors.items.description_missing': 'an invoice with an item without `description`',
  'errors.items.amount_missing': 'an invoice with an item without `amount`',
  'errors.items.description_too_long': 'an item with a `description` of 151 characters',
  'errors.items.amount_not_valid': 'an item with an `amount` that is not a number',
  'errors.items.transaction_amount_mismatch':
    'an invoice whose items do not add up to its `amount`',
  'errors.invoice.address_not_found':
    'an address look-up with a number that is not in the register',
  'errors.invoice.invalid_registration_number':
    'an invoice with `segmentation=b2b` and an invalid company number',
  'errors.invoice.validation_article_id_length': 'an item with an `artno` of 51 characters',
  'errors.invoice.validation_address2_length': 'an invoice with an `address_2` of 101 characters',
  'errors.invoice.validation_company_name_length':
    'an invoice with a `company_name` of 101 characters',
  'errors.invoice.validation_email_length': 'an invoice with an `email` of 257 characters',
  'errors.stored_card.store.declined':
    'storing a live card at a merchant with the setting `live_cards: refuse`',
  'errors.stored_card.token.invalid': 'a card number with `card_type=STORED_CARD`',
} as const satisfies Partial<Record<ErrorName, string>>

export type ProvokedError = keyof typeof PROVOCATIONS

/**
 * Returns how to trigger an error; for most errors a card payment in test mode that requests it.
 */
export const provocationOf = (key: ErrorKey): string =>
  (PROVOCATIONS as Partial<Record<ErrorKey, string>>)[key] ?? `\`${instructionFor(key)}\``

/**
 * Returns the parameter that makes a payment in test mode fail with an error (specification:
 * Metadata).
 */
const instructionFor = (key: ErrorKey) => `metadata[service_instructions][fail_as_code]=${key}`
