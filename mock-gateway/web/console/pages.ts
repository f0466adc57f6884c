import { CHECK_ACTS, CHECK_PAGE } from './check/check.ts'
import { CONTROLS, FIXTURES_PAGE } from './controls/controls.ts'
import { OPERATION_PAGES } from './controls/operations.ts'
import { type ConsoleDependencies, hasLocalSandbox } from './dependencies.ts'
import { LIVE_PAGE } from './live/stream.ts'
import { OVERVIEW_PAGE } from './overview/overview.ts'
import { SEARCH_PAGE } from './overview/search.ts'
import { DETAIL_ACTS, DETAIL_PAGES } from './parts/details.ts'
import { RESOURCE_FORM_ACTS, RESOURCE_FORM_PAGES } from './parts/resource-forms.ts'
import { LIST_PAGES } from './parts/resource-lists.ts'
import { PAYMENT_LINK_ACTS, PAYMENT_LINK_PAGES } from './payments/payment-links.ts'
import { SUMS_PAGES } from './payments/report.ts'
import { ANSWER_ACT, TRANSACTION_ACTS, TRANSACTION_PAGES } from './payments/transactions.ts'
import { ALL_ERROR_PAGES, ERROR_PAGES } from './requests/errors.ts'
import { FINDINGS_PAGE } from './requests/findings.ts'
import { HASH_PAGE } from './requests/hash.ts'
import { REQUEST_OF_ALL_PAGE, REQUEST_PAGE } from './requests/request-page.ts'
import { ALL_REQUEST_PAGES, REQUEST_PAGES } from './requests/requests.ts'
import { SEND_AGAIN_ACT, SEND_AGAIN_PAGE } from './requests/send-again.ts'
import { MERCHANTS_PAGE, NEW_MERCHANT_ACT } from './settings/merchants.ts'
import { RULES_ACTS, RULES_PAGE } from './settings/rules.ts'
import { SETTINGS_ACTS, SETTINGS_PAGE } from './settings/settings.ts'
import { TEMPLATE_ACTS, TEMPLATE_PAGES } from './settings/templates.ts'
import { CHARGE_ACT, SUBSCRIPTION_PAGE } from './subscriptions/subscriptions.ts'
import type { ConsoleRoute, ConsoleVisit, MerchantVisit } from './visit.ts'
import { DELIVERY_ACTS, DELIVERY_PAGES } from './webhooks/deliveries.ts'
import { MAIL_PAGES } from './webhooks/mails.ts'
import { WEBHOOK_FORM_ACTS, WEBHOOK_FORM_PAGES } from './webhooks/webhook-templates.ts'

/** Pages of each merchant, and their form actions. A new page is a line here and, if it is in the menu, one in `sections.ts`. */
const MERCHANT_PAGES: readonly ConsoleRoute<MerchantVisit>[] = [
  OVERVIEW_PAGE,
  LIVE_PAGE,
  SEARCH_PAGE,
  ...LIST_PAGES,
  ...[...RESOURCE_FORM_PAGES, ...RESOURCE_FORM_ACTS],
  ...SUMS_PAGES,
  ...[...TRANSACTION_PAGES, ...TRANSACTION_ACTS],
  SUBSCRIPTION_PAGE,
  ...[...PAYMENT_LINK_PAGES, ...PAYMENT_LINK_ACTS],
  ...[...DETAIL_PAGES, ...DETAIL_ACTS],
  ...[...REQUEST_PAGES, REQUEST_PAGE, SEND_AGAIN_PAGE, SEND_AGAIN_ACT],
  ...ERROR_PAGES,
  FINDINGS_PAGE,
  ...[...WEBHOOK_FORM_PAGES, ...WEBHOOK_FORM_ACTS],
  ...[...DELIVERY_PAGES, ...DELIVERY_ACTS],
  ...MAIL_PAGES,
  ...[SETTINGS_PAGE, ...SETTINGS_ACTS],
  ...[RULES_PAGE, ...RULES_ACTS],
  HASH_PAGE,
  ...[...TEMPLATE_PAGES, ...TEMPLATE_ACTS],
  ...CONTROLS,
]

/** Returns the pages of a merchant that this gateway offers. */
export const listMerchantPages = ({
  controlKey,
  isLocal,
}: ConsoleDependencies): readonly ConsoleRoute<MerchantVisit>[] => [
  ...MERCHANT_PAGES,
  ...(controlKey === undefined ? [] : [ANSWER_ACT, CHARGE_ACT]),
  ...(hasLocalSandbox({ controlKey, isLocal }) ? [CHECK_PAGE, ...CHECK_ACTS] : []),
]

/** Pages of the administrator, about all merchants. */
export const ADMINISTRATOR_PAGES: readonly ConsoleRoute<ConsoleVisit>[] = [
  LIVE_PAGE,
  ...[...ALL_REQUEST_PAGES, REQUEST_OF_ALL_PAGE],
  ...ALL_ERROR_PAGES,
  ...[MERCHANTS_PAGE, NEW_MERCHANT_ACT],
  ...[...CONTROLS, FIXTURES_PAGE],
  ...OPERATION_PAGES,
]
