import { CHECK_PAGES } from './check/check.ts'
import { CONTROLS, FIXTURES_PAGE } from './controls/controls.ts'
import { OPERATION_PAGES } from './controls/operations.ts'
import { type ConsoleDependencies, hasLocalSandbox } from './dependencies.ts'
import { LIVE_PAGE } from './live/stream.ts'
import { OVERVIEW_PAGE } from './overview/overview.ts'
import { SEARCH_PAGE } from './overview/search.ts'
import { RESOURCE_PAGES } from './parts/resource-pages.ts'
import { PAYMENT_LINK_ACTS, PAYMENT_LINK_PAGES } from './payments/payment-links.ts'
import { SUMS_PAGES } from './payments/report.ts'
import { ANSWER_ACT, TRANSACTION_ACTS, TRANSACTION_PAGES } from './payments/transactions.ts'
import { FINDINGS_PAGE } from './requests/findings.ts'
import { HASH_PAGE } from './requests/hash.ts'
import { REQUEST_PAGE } from './requests/request-page.ts'
import { ERROR_LISTS, REQUEST_LISTS } from './requests/requests.ts'
import { SEND_AGAIN_ACT, SEND_AGAIN_PAGE } from './requests/send-again.ts'
import { API_PAGES } from './settings/api-keys.ts'
import { MERCHANT_PAGES } from './settings/merchants.ts'
import { RULES_PAGES } from './settings/rules.ts'
import { SETTINGS_ACTS, SETTINGS_PAGE } from './settings/settings.ts'
import { TEMPLATE_PAGES } from './settings/templates.ts'
import { CHARGE_ACT, SUBSCRIPTION_PAGE } from './subscriptions/subscriptions.ts'
import type { ConsoleRoute, ConsoleVisit, MerchantVisit } from './visit.ts'
import { DELIVERY_PAGES, SEND_ALL_ACT } from './webhooks/deliveries.ts'
import { DELIVERY_ACTS, DELIVERY_PAGE } from './webhooks/delivery-page.ts'
import { MAIL_PAGES } from './webhooks/mails.ts'
import { WEBHOOK_FORM_ACTS, WEBHOOK_FORM_PAGES } from './webhooks/webhook-templates.ts'

/** Pages of each merchant, and their form actions. A new page is a line here and, if it is in the menu, one in `sections.ts`. */
const OWN_PAGES: readonly ConsoleRoute<MerchantVisit>[] = [
  OVERVIEW_PAGE,
  LIVE_PAGE,
  SEARCH_PAGE,
  ...RESOURCE_PAGES,
  ...SUMS_PAGES,
  ...[...TRANSACTION_PAGES, ...TRANSACTION_ACTS],
  SUBSCRIPTION_PAGE,
  ...[...PAYMENT_LINK_PAGES, ...PAYMENT_LINK_ACTS],
  ...[...REQUEST_LISTS.own, REQUEST_PAGE, SEND_AGAIN_PAGE, SEND_AGAIN_ACT],
  ...ERROR_LISTS.own,
  FINDINGS_PAGE,
  ...[...WEBHOOK_FORM_PAGES, ...WEBHOOK_FORM_ACTS],
  ...[...DELIVERY_PAGES, SEND_ALL_ACT, ...DELIVERY_PAGE, ...DELIVERY_ACTS],
  ...MAIL_PAGES,
  ...[SETTINGS_PAGE, ...SETTINGS_ACTS, ...API_PAGES],
  ...RULES_PAGES,
  HASH_PAGE,
  ...TEMPLATE_PAGES,
  ...CONTROLS,
]

export const listMerchantPages = ({
  controlKey,
  isLocal,
}: ConsoleDependencies): readonly ConsoleRoute<MerchantVisit>[] => [
  ...OWN_PAGES,
  ...(controlKey === undefined ? [] : [ANSWER_ACT, CHARGE_ACT]),
  ...(hasLocalSandbox({ controlKey, isLocal }) ? CHECK_PAGES : []),
]

/** Pages of the administrator, about all merchants. */
export const ADMINISTRATOR_PAGES: readonly ConsoleRoute<ConsoleVisit>[] = [
  LIVE_PAGE,
  ...[...REQUEST_LISTS.all, REQUEST_PAGE],
  ...ERROR_LISTS.all,
  ...MERCHANT_PAGES,
  ...[...CONTROLS, FIXTURES_PAGE],
  ...OPERATION_PAGES,
]
