/** Names that a template may use, with the names below each; null allows any name. */
export interface TemplateFields {
  readonly [name: string]: TemplateFields | null
}

const named = (names: string): TemplateFields =>
  Object.fromEntries(names.split(' ').map((name) => [name, null]))

const merchant = named('id name')

const plan: TemplateFields = {
  ...named(
    'id created_at updated_at merchant_id name description interval interval_unit periods prices setup_fees',
  ),
  ...named('trial_length status'),
}

const customer = named('id created_at ref metadata')

const storedCard: TemplateFields = {
  ...named(
    'id created_at updated_at card_holder card_number card_type status currency expires ref merchant_id test',
  ),
  ...named('recurring'),
  customer,
  merchant,
}

const subscription: TemplateFields = {
  ...named(
    'id created_at updated_at status price currency interval interval_unit total_periods period_count',
  ),
  ...named(
    'periods_left start_date next_at subscription_quantity multiplier debt retry_count test items metadata',
  ),
  // Only its id, unless it is shown in full.
  stored_card: null,
  plan,
  customer,
}

const details: TemplateFields = {
  ...named(
    'id type created_at updated_at card_number card_holder card_type customer_number personal_number first_name',
  ),
  ...named(
    'last_name zip country_code country address city bank_name bank_acc_lastdigits phone ssn card_issuer',
  ),
  ...named(
    'credit_or_debit card_country_code campaign segmentation company_name address_1 address_2 swish_number',
  ),
  ...named('vipps_number email phone_prefix state_or_province gender'),
  ...named('mask_first_name mask_last_name mask_zip mask_address_1 mask_address_2 mask_city'),
}

const wholeMerchant: TemplateFields = { ...merchant, plans: null, settings_hosted: null }

const error = named('name code description')

const transaction: TemplateFields = {
  ...named(
    'id created_at merchant_id amount vat_amount payment_ref ref card_holder card_number card_expiry test',
  ),
  ...named(
    'metadata currency status status_details fail_message card_type transaction_type payment_method',
  ),
  ...named(
    'payment_request payment_response template_id cost success_url error_url items authorize link_payment',
  ),
  ...named(
    'mpi_ref href processed_at refunds refunds_all captures org_auth_amount webhooks event_context log_events',
  ),
  ...named(
    'client_info currency_converter wallet_type dynamic_webhooks customer_name provider_ref request_hash',
  ),
  ...named('response_hash convert_currency campaigns'),
  error,
  stored_card: storedCard,
  customer,
  subscription,
  payment_details: details,
  plan,
  merchant: wholeMerchant,
}

/**
 * Fields of `loadTemplateVariables` and of the page itself (specification: Template variables of
 * the hosted payment page; observed: 11.1), used to report misspelt names.
 */
export const TEMPLATE_FIELDS: TemplateFields = {
  ...named('currency amount'),
  transaction,
  subscription,
  customer,
  stored_card: storedCard,
  payment_details: details,
  plan: { ...plan, merchant },
  merchant: wholeMerchant,
  refund: null,
}
