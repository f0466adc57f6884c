import { INVOICE_PROVIDER_ERRORS } from './catalogue/invoice-provider.ts'
import { INVOICE_VALIDATION_ERRORS } from './catalogue/invoice-validation.ts'
import { BANK_PROVIDER_ERRORS, MAIN_ERRORS, STORED_CARD_ERRORS } from './catalogue/main.ts'
import { PAYER_AND_ITEM_ERRORS } from './catalogue/payer-and-items.ts'

/**
 * Every error of the service, in the order of the specification (specification: Errors). Two names
 * share code 1290, and the name of 230 appears again as 2301; gaps in the numbers are intentional.
 */
export const CATALOGUE = [
  ...MAIN_ERRORS,
  ...BANK_PROVIDER_ERRORS,
  ...PAYER_AND_ITEM_ERRORS,
  ...INVOICE_PROVIDER_ERRORS,
  ...INVOICE_VALIDATION_ERRORS,
  ...STORED_CARD_ERRORS,
] as const
