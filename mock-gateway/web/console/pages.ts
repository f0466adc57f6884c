import { CLOCK, COMMON_CLOCK } from './clock.ts'
import { DATA_PAGES, RESET_ACT } from './data.ts'
import { DELIVERY_ACTS, DELIVERY_PAGES } from './deliveries.ts'
import { DETAIL_ACTS, DETAIL_PAGES } from './details.ts'
import { FAULT_ACTS, FAULTS_PAGE } from './faults.ts'
import { HASH_PAGE } from './hash.ts'
import { LIST_PAGES } from './lists.ts'
import { MAIL_PAGES } from './mails.ts'
import { MERCHANTS_PAGE } from './merchants.ts'
import { NEXT, NEXT_OF_ALL } from './next.ts'
import { NOTIFICATIONS_PAGE } from './notifications.ts'
import { OVERVIEW_PAGE } from './overview.ts'
import { ALL_REQUESTS_PAGE, REQUESTS_PAGE } from './requests.ts'
import { SETTINGS_ACTS, SETTINGS_PAGE } from './settings.ts'
import { CHARGE_ACT, SUBSCRIPTION_PAGE } from './subscriptions.ts'
import { TEMPLATE_ACTS, TEMPLATE_PAGES } from './templates.ts'
import { TRANSACTION_ACTS, TRANSACTION_PAGES } from './transactions.ts'
import type { Act, MerchantVisit, Page, Visit } from './visit.ts'
import { WEBHOOK_TEMPLATE_ACTS, WEBHOOK_TEMPLATE_PAGES } from './webhook-templates.ts'

/** Pages of each merchant. */
export const MERCHANT_PAGES: readonly Page<MerchantVisit>[] = [
  OVERVIEW_PAGE,
  ...LIST_PAGES,
  ...TRANSACTION_PAGES,
  SUBSCRIPTION_PAGE,
  ...DETAIL_PAGES,
  REQUESTS_PAGE,
  ...DELIVERY_PAGES,
  NOTIFICATIONS_PAGE,
  ...WEBHOOK_TEMPLATE_PAGES,
  ...MAIL_PAGES,
  SETTINGS_PAGE,
  HASH_PAGE,
  ...TEMPLATE_PAGES,
]

/** What their forms do. */
export const MERCHANT_ACTS: readonly Act<MerchantVisit>[] = [
  ...TRANSACTION_ACTS,
  ...DETAIL_ACTS,
  ...DELIVERY_ACTS,
  ...WEBHOOK_TEMPLATE_ACTS,
  ...SETTINGS_ACTS,
  ...TEMPLATE_ACTS,
]

/** What a merchant has where there is a control API. */
export const SANDBOX_PAGES: readonly Page<MerchantVisit>[] = [CLOCK.page, NEXT.page]
export const SANDBOX_ACTS: readonly Act<MerchantVisit>[] = [...CLOCK.acts, ...NEXT.acts, CHARGE_ACT]

/** Those that only the administrator has. */
export const ADMINISTRATOR_PAGES: readonly Page<Visit>[] = [
  MERCHANTS_PAGE,
  ALL_REQUESTS_PAGE,
  COMMON_CLOCK.page,
  NEXT_OF_ALL.page,
  FAULTS_PAGE,
  ...DATA_PAGES,
]
export const ADMINISTRATOR_ACTS: readonly Act<Visit>[] = [
  ...COMMON_CLOCK.acts,
  ...NEXT_OF_ALL.acts,
  ...FAULT_ACTS,
  RESET_ACT,
]
