import { describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../../../mock-gateway/domain/errors/catalogue.ts'
import {
  type CatalogueEntry,
  entryByCode,
  entryByName,
} from '../../../../mock-gateway/domain/errors/errors.ts'

/**
 * All error codes and names in the order of the specification, as `code name` after the common
 * prefix of their group.
 */
const SPECIFIED = [
  ...pairs(
    'errors.',
    `
    1 credit_card.missing; 2 credit_card_details.missing; 3 terminal_id.invalid; 4 provider_ref.processed;
    101 order_id.processed; 102 order_id.invalid; 103 template.not_found; 104 merchant.not_found;
    105 merchant_id.missing; 106 hash.missing; 107 hash.invalid; 108 amount.missing; 109 amount.invalid;
    1090 amount.invalid_format; 1091 transaction.amount; 110 success_url.missing; 1100 success_url.not_valid_uri;
    1101 error_url.not_valid_uri; 1102 success_url.forbidden_uri; 1103 error_url.forbidden_uri;
    111 success_url.reserved; 112 error_url.missing; 113 error_url.reserved; 115 currency.invalid;
    116 currency.missing; 117 currency.unsupported; 118 card_number.missing; 119 card_number.invalid;
    120 card_type.missing; 121 card_type.unsupported; 122 card_holder.missing; 123 card_holder.invalid;
    124 card_cvv.missing; 125 card_cvv.invalid; 126 card_expiry.missing; 127 card_expiry.invalid;
    128 transaction.not_found; 1280 transaction.timeout; 129 payment.declined; 1290 payment.failed;
    1290 payment.canceled; 1292 payment.amount_low; 130 card.expired; 131 card_currency.unsupported;
    132 reason.missing; 133 unexpected; 134 amount.excess; 135 plan.not_found; 1300 plan.missing;
    1301 supported_card.not_found; 1302 card.do_not_honour; 1303 plan.invalid; 1304 plan.deactivated;
    136 price.missing; 137 stored_card.not_found; 138 unauthorized; 139 merchant.missing; 140 transaction.missing;
    141 subscription.not_found; 142 customer.not_found; 143 customer.missing; 144 generic; 145 payment_ref.invalid;
    146 payment_ref.processed; 147 file_type.unsupported; 1470 onboarding.failed_to_save; 148 status.invalid;
    149 json.malformed; 150 stored_card.not_active; 151 webhook.invalid; 1510 webhook_template.invalid;
    1511 webhook_template.not_found; 152 transaction_id.missing; 153 transaction.processed; 1531 transaction.locked;
    154 invoice.not_purchable; 155 reservation.not_approved; 156 personal_number.missing;
    157 customer_number.missing; 158 zip.missing; 159 first_name.missing; 160 last_name.missing;
    161 country_code.missing; 162 address.missing; 163 city.missing; 164 payment_details.missing;
    165 customer_ref.invalid; 1600 company_name.missing; 1601 payment_details.invalid; 1602 invitation.not_found;
    166 items.missing; 167 stored_card.not_test; 168 stored_card.is_test; 1680 stored_card.recurring;
    169 mpi.not_approved; 1690 mpi.invalid; 1691 mpi.disabled; 170 subscription.status_invalid;
    1700 subscription.paid; 171 customer_ref.taken; 172 item.amount.missing; 173 item.quantity.missing;
    174 item.vat_rate.missing; 175 item.vat_amount.missing; 176 item.id.missing; 177 item.unit_code.missing;
    178 item.price.missing; 179 item.line_number.missing; 180 item.description.missing;
    181 merchant.invoice.not_configured; 182 authentication.failed; 183 raw_amount.invalid; 184 name.missing;
    185 interval_unit.missing; 186 interval_unit.invalid; 187 prices.missing; 188 interval.missing;
    189 interval.invalid; 190 password.missing; 191 email.missing; 192 terms.not_accepted; 193 webhook.failed;
    194 encrypted_param.missing; 195 prices.invalid; 196 not_found; 197 decryption.failed; 198 vat_amount.missing;
    199 reason.too_long; 200 encoding.invalid; 201 name.duplicate; 202 merchant.invalid; 203 amount.mismatch;
    204 webhook.not_found; 205 filter_parameter.not_supported; 206 filter_value.not_supported; 207 account.locked;
    208 deposit.not_captured
    `,
  ),
  ...pairs(
    'errors.',
    `
    2080 bankprovider.deposit_not_captured; 2081 bankprovider.mandate_not_found;
    2082 bankprovider.account_not_found; 2083 bankprovider.account_declined; 2084 bankprovider.message_id_duplicate;
    2085 bankprovider.invalid_credentials; 2086 bankprovider.malformed_notificationurl;
    2087 bankprovider.invalid_ip; 2088 bankprovider.insufficient_funds; 2089 bankprovider.disabled_user
    `,
  ),
  ...pairs(
    'errors.',
    `
    209 ssn_or_country.missing; 2090 ssn_token.failed; 2091 metadata.invalid; 211 missing_or_invalid.ssn;
    212 missing_or_too_long.first_name; 213 missing_or_too_long.last_name; 214 invalid.email;
    215 missing_or_invalid.phone_number; 216 missing_or_too_long.address_1; 217 missing.address_2;
    218 missing_or_too_long.city; 219 missing_or_too_long.zip_code; 220 missing_or_invalid.country_code;
    221 missing_or_invalid.amount_error; 222 too_long.transaction_id; 223 must_be_submitted.ssn;
    224 invoice.credit_approval_failed; 225 invoice.credit_check; 226 invoice.credit_not_approved;
    227 invoice.amount.requested.lower_than_minimum_purchase_amount;
    228 invoice.amount.requested.higher_than_maximum_purchase_amount; 229 invoice.amount.maximal_decimal;
    230 item.missing_or_too_long.description; 2301 item.missing_or_too_long.description;
    231 item.total_amount_error; 232 item.notes_to_long; 233 missing_or_too_long.order_reference;
    234 invoice.account_error; 235 invoice.account_class_error; 236 order.reference.error;
    237 invoice.credit_decision_process_failed; 238 helper.ssn.invalid_format; 239 helper.ssn.must_be_submitted;
    240 helper.ssn.for_sweden_must_be_12_digits; 241 helper.ssn.address_is_available; 242 helper.ssn.have_a_value;
    243 service_not_available; 244 invoice.no_account_exists; 245 invoice.purchase_for_different_country;
    246 invoice.payment_terms_error; 247 invoice.account_number_error; 248 invoice.account_was_overdrawn;
    249 invoice.execute.against.this.account; 250 password_length; 251 customer_not_found; 252 request.json_error;
    253 request.bad_format; 2502 items.vat_missing; 2503 items.artno_missing; 2511 items.qty_missing;
    2512 items.notes_too_long; 254 items.not_array; 255 items.description_missing; 256 items.notes_missing;
    257 items.amount_missing; 258 items.description_too_long; 259 items.amount_not_valid;
    260 items.transaction_amount_mismatch; 261 rules_parser.declined; 2610 rules_parser.skip_webhook;
    262 request.json_errors
    `,
  ),
  ...pairs(
    'errors.invoice.',
    `
    263 denied_to_purchase; 264 credit_check_denied; 265 address_not_found; 266 reservation_not_approved;
    267 invalid_registration_number; 268 agreement_rules_validation_failed; 269 unhandled_exception;
    270 purchase_amount_greater_than_max_credit_amount; 271 activation_of_invoice_denied; 274 article_not_found;
    275 article_not_found_based_on_unitprice; 276 authorization_failed;
    277 countrycode_mismatch_with_customer_address; 278 countrycode_mismatch_with_delivery_address;
    279 countrycode_mismatch_with_invoice_address; 282 email_is_missing; 283 invalid_countrycode;
    284 invalid_credit_time_usage; 285 invalid_currency_code; 286 invalid_delivery_address_usage;
    287 invalid_invoice_status; 288 invalid_product_code; 289 invalid_quantity; 291 invalid_transaction_amount;
    292 invoice_duedate_already_extended; 293 invoice_exceeds_available_reservation;
    294 invoice_extended_date_in_past; 295 invoice_invalid_type; 296 invoice_not_found;
    297 invoice_type_is_not_allowed_to_be_used; 298 mixed_currency; 299 mobile_phone_is_missing;
    300 not_allowed_to_send_notification_by_email; 301 not_allowed_to_send_notification_by_mail;
    303 purchase_not_found; 305 reservation_not_found; 306 total_amount_must_be_positive;
    308 unique_article_not_found; 367 article_exists_but_other_information; 368 customer_purchase_progress
    `,
  ),
  ...pairs(
    'errors.invoice.validation_',
    `
    309 activation_option_value; 310 address1_length; 311 address2_length; 312 amount_parsing; 313 amount_range;
    314 amount_required; 315 article_id_length; 316 article_id_required; 317 article_list_required;
    318 cell_phone_number_length; 319 city_length; 320 city_required; 321 client_ip_address_length;
    322 client_ip_address_required; 323 coaddress_length; 324 company_name_length; 325 cost_center_length;
    326 country_code_length; 327 country_code_required; 328 credit_date_required; 329 credit_time_out_of_range;
    330 currency_length; 331 currency_invalid; 332 currency_required; 333 customer_number_length;
    334 delivery_address_required; 335 description_length; 336 email_invalid; 337 email_length; 338 error;
    339 first_name_length; 340 gender_value; 341 invoice_address_required; 342 invoice_delivery_method_value;
    343 invoice_number_length; 344 invoice_number_required; 345 invoice_type_value; 346 last_name_length;
    347 order_date_required; 348 order_number_length; 349 password_required; 350 phone_number_length;
    351 postal_code_length; 352 postal_code_required; 353 quantity_range; 354 quantity_required;
    355 reference_length; 356 registration_number_length; 357 registration_number_required;
    358 reserved_amount_parsing; 359 reserved_amount_range; 360 reserved_amount_required; 361 unit_price_parsing;
    362 unit_price_range; 363 username_required; 364 vat_parsing; 365 vat_range; 366 vat_required
    `,
  ),
  ...pairs(
    'errors.',
    '400 stored_card.expires.missing; 4001 stored_card.store.declined; 4002 stored_card.token.invalid',
  ),
]

function pairs(prefix: string, list: string): string[] {
  return list.split(';').map((pair) => pair.trim().replace(' ', ` ${prefix}`))
}

const rows: readonly CatalogueEntry[] = CATALOGUE
const valuesTwice = (values: readonly (string | number)[]) =>
  values.filter((value, index) => values.indexOf(value) !== index)

describe('the error catalogue', () => {
  test('holds the 309 errors of the specification in its order, and no others', () => {
    expect(SPECIFIED).toHaveLength(309)
    expect(rows.map(({ code, name }) => `${code} ${name}`)).toEqual(SPECIFIED)
  })

  test('has unique codes and names, except one code with two names and one name with two codes', () => {
    expect(valuesTwice(rows.map((row) => row.code))).toEqual([1290])
    expect(valuesTwice(rows.map((row) => row.name))).toEqual([
      'errors.item.missing_or_too_long.description',
    ])
  })

  test.each(['en', 'sv'] as const)(
    'describes every error in %s with its own text, without stray blanks',
    (locale) => {
      const texts = rows.map((row) => row[locale])
      expect(texts.filter((text) => !/^\S+( \S+)*$/.test(text) || text.endsWith('.'))).toEqual([])
      expect(valuesTwice(texts)).toEqual([entryByCode(2301)?.[locale]])
    },
  )

  test.each([
    [401, [138, 182]],
    [403, [207]],
    [404, [103, 104, 128, 135, 137, 141, 142, 1511, 1602, 196, 204]],
  ] as const)(
    'has status %i for a few codes, and status 400 for all other codes',
    (http, codes) => {
      expect(new Set(rows.filter((row) => row.http === http).map((row) => row.code))).toEqual(
        new Set(codes),
      )
    },
  )
})

describe('a look-up of an error', () => {
  test('finds every row by its name and its code, and the first row if two rows share them', () => {
    const firstWith = (key: 'name' | 'code', value: string | number) =>
      rows.find((row) => row[key] === value)
    for (const row of rows) {
      expect(entryByName(row.name)).toBe(firstWith('name', row.name))
      expect(entryByCode(row.code)).toBe(firstWith('code', row.code))
    }
  })

  test.each(['', 'errors.', 'payment.declined', 'Errors.payment.declined', '129', 'constructor'])(
    'finds no error named "%s"',
    (name) => {
      expect(entryByName(name)).toBeUndefined()
    },
  )

  test.each([0, 114, 210, 272, 129.5, Number.NaN])('finds no error with code %d', (code) => {
    expect(entryByCode(code)).toBeUndefined()
  })
})

describe('the body of an error', () => {
  test.each([
    [109, 'sv', 'Beloppet är fel; det ska se ut som 10.00'],
    [128, 'en', 'Transaction not found'],
    [128, 'sv', 'Transaktionen hittades inte'],
    [138, 'en', 'Unauthorized'],
    [138, 'sv', 'Ej behörig'],
  ] as const)('with error %i in %s has the text "%s"', (code, locale, text) => {
    expect(entryByCode(code)?.[locale]).toBe(text)
  })
})
