import { FIELDS } from '../contract/wire.ts'

/** Names that a template may use, with the names below each; null allows any name. */
export interface TemplateFields {
  readonly [name: string]: TemplateFields | null
}

const createTemplateFields = (names: readonly string[]): TemplateFields =>
  Object.fromEntries(names.map((name) => [name, null]))

const merchant = createTemplateFields(['id', 'name'])

const plan = createTemplateFields(FIELDS.Plan)

const customer = createTemplateFields(FIELDS.Customer)

const {
  token: _token,
  transaction: _transaction,
  ...ofStoredCard
} = createTemplateFields(FIELDS.StoredCard)

const storedCard: TemplateFields = { ...ofStoredCard, updated_at: null, customer, merchant }

const subscription: TemplateFields = {
  ...createTemplateFields(FIELDS.Subscription),
  // Only its id, unless it is shown in full.
  stored_card: null,
  plan,
  customer,
}

const details: TemplateFields = {
  ...createTemplateFields(FIELDS.PaymentDetails),
  ...createTemplateFields(['type', 'created_at', 'updated_at']),
  ...createTemplateFields(['mask_first_name', 'mask_last_name', 'mask_zip']),
  ...createTemplateFields(['mask_address_1', 'mask_address_2', 'mask_city']),
}

const wholeMerchant: TemplateFields = { ...merchant, plans: null, settings_hosted: null }

const transaction: TemplateFields = {
  ...createTemplateFields(FIELDS.Transaction),
  ...createTemplateFields(['convert_currency', 'campaigns']),
  error: createTemplateFields(['name', 'code', 'description']),
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
  ...createTemplateFields(['currency', 'amount']),
  transaction,
  subscription,
  customer,
  stored_card: storedCard,
  payment_details: details,
  plan: { ...plan, merchant },
  merchant: wholeMerchant,
  refund: null,
}
