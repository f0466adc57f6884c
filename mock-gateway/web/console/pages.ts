import { CHECK_ACTS, CHECK_PAGE } from './check/check.ts'
import { ALL_CONTROLS, CONTROLS, FIXTURES_PAGE } from './controls/controls.ts'
import { OPERATION_ACT, OPERATION_PAGES } from './controls/operations.ts'
import { LIVE_OF_ALL_PAGE, LIVE_PAGE } from './live/stream.ts'
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
import type { ConsolePage, ConsoleVisit, FormAction, MerchantVisit } from './visit.ts'
import { DELIVERY_ACTS, DELIVERY_PAGES } from './webhooks/deliveries.ts'
import { MAIL_PAGES } from './webhooks/mails.ts'
import { WEBHOOK_FORM_ACTS, WEBHOOK_FORM_PAGES } from './webhooks/webhook-templates.ts'

/** Pages, and their form actions. */
export interface PartPages<Of extends ConsoleVisit> {
  readonly pages?: readonly ConsolePage<Of>[]
  readonly acts?: readonly FormAction<Of>[]
}

/** A topic of the console, by viewer. */
export interface ConsolePart {
  /** For each merchant. */
  readonly merchant?: PartPages<MerchantVisit>
  /** For each merchant, if there is a control API. */
  readonly sandbox?: PartPages<MerchantVisit>
  /** For each merchant, if there is a control API and only this machine reaches the gateway. */
  readonly localSandbox?: PartPages<MerchantVisit>
  /** For the administrator, about all merchants. */
  readonly administrator?: PartPages<ConsoleVisit>
}

/**
 * All parts of the console. A new page is a line here and, if it is in the menu, one in
 * `sections.ts`.
 */
export const PARTS: readonly ConsolePart[] = [
  { merchant: { pages: [OVERVIEW_PAGE] } },
  { merchant: { pages: [LIVE_PAGE] }, administrator: { pages: [LIVE_OF_ALL_PAGE] } },
  { merchant: { pages: [SEARCH_PAGE] } },
  { merchant: { pages: LIST_PAGES } },
  { merchant: { pages: RESOURCE_FORM_PAGES, acts: RESOURCE_FORM_ACTS } },
  { merchant: { pages: SUMS_PAGES } },
  {
    merchant: { pages: TRANSACTION_PAGES, acts: TRANSACTION_ACTS },
    sandbox: { acts: [ANSWER_ACT] },
  },
  { merchant: { pages: [SUBSCRIPTION_PAGE] }, sandbox: { acts: [CHARGE_ACT] } },
  { merchant: { pages: PAYMENT_LINK_PAGES, acts: PAYMENT_LINK_ACTS } },
  { merchant: { pages: DETAIL_PAGES, acts: DETAIL_ACTS } },
  {
    merchant: { pages: [...REQUEST_PAGES, REQUEST_PAGE, SEND_AGAIN_PAGE], acts: [SEND_AGAIN_ACT] },
    administrator: { pages: [...ALL_REQUEST_PAGES, REQUEST_OF_ALL_PAGE] },
  },
  { merchant: { pages: ERROR_PAGES }, administrator: { pages: ALL_ERROR_PAGES } },
  { merchant: { pages: [FINDINGS_PAGE] } },
  { merchant: { pages: WEBHOOK_FORM_PAGES, acts: WEBHOOK_FORM_ACTS } },
  { merchant: { pages: DELIVERY_PAGES, acts: DELIVERY_ACTS } },
  { merchant: { pages: MAIL_PAGES } },
  { merchant: { pages: [SETTINGS_PAGE], acts: SETTINGS_ACTS } },
  { merchant: { pages: [RULES_PAGE], acts: RULES_ACTS } },
  { merchant: { pages: [HASH_PAGE] } },
  { merchant: { pages: TEMPLATE_PAGES, acts: TEMPLATE_ACTS } },
  { administrator: { pages: [MERCHANTS_PAGE], acts: [NEW_MERCHANT_ACT] } },
  {
    merchant: { pages: [CONTROLS.page], acts: [CONTROLS.action] },
    administrator: {
      pages: [ALL_CONTROLS.page, FIXTURES_PAGE],
      acts: [ALL_CONTROLS.action],
    },
  },
  { localSandbox: { pages: [CHECK_PAGE], acts: CHECK_ACTS } },
  { administrator: { pages: OPERATION_PAGES, acts: [OPERATION_ACT] } },
]
