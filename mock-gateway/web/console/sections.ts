/** Tabs of an entry of the menu: path, which is also the name, and label. */
type Tabs = Readonly<Record<string, string>>

/** Entries of a menu by label, each with its tabs. The first tab is the address of the entry. */
export type Menu = Readonly<Record<string, Tabs>>

const MERCHANT_MENU = {
  Overview: { '': 'Overview' },
  Payments: {
    transactions: 'All',
    'transactions?filter[status]=approved': 'Approved',
    'transactions?filter[status]=declined': 'Declined',
    'transactions?filter[status]=3ds+pending': 'At the bank',
    'transactions?filter[status]=authorized': 'To capture',
    refunds: 'Refunds',
    payment_links: 'Links',
    sums: 'Report',
  },
  Subscriptions: {
    subscriptions: 'All',
    'subscriptions?filter[status]=active': 'Active',
    'subscriptions?filter[status]=cancelled': 'Cancelled',
    plans: 'Plans',
  },
  Customers: { customers: 'Customers', stored_cards: 'Stored cards' },
  Requests: {
    errors: 'Rejected',
    requests: 'All',
    findings: 'Warnings',
    hash: 'Request hash',
  },
  Webhooks: {
    webhooks: 'Deliveries',
    'webhooks?status=failed+permanently': 'Failed',
    'webhooks?status=pending': 'Waiting',
    mails: 'Mails',
    webhook_templates: 'Templates',
  },
  'Test controls': { controls: 'Test controls' },
  'Check my shop': { check: 'Check my shop' },
  Settings: {
    settings: 'Settings',
    api_keys: 'API and keys',
    rules: 'Rules',
    templates: 'Page templates',
  },
} satisfies Menu

/** The administrator's menu, about all merchants. */
export const ADMINISTRATOR_MENU = {
  Merchants: { merchants: 'Merchants' },
  Requests: { errors: 'Rejected', requests: 'All requests' },
  'Test controls': { controls: 'Test controls', operations: 'All operations' },
} satisfies Menu

/** Addresses of earlier versions, by path, with the page that has their content now. */
export const MOVED: Readonly<Record<string, string>> = {
  clock: 'controls#clock',
  next: 'controls#next-results',
  next_captures: 'controls#next-results',
  faults: 'controls#faults',
  reset: 'controls#data',
  snapshots: 'controls#snapshots',
  data: 'controls#snapshots',
  'settings/change': 'settings',
  'webhook_keys/new': 'webhook_templates#keys',
  notifications: 'webhooks?status=failed+permanently',
}

/**
 * Returns the menu of a merchant.
 * @param isLocal true if only this machine reaches the gateway, and merchants may check their shops
 */
export function createMerchantMenu(isLocal: boolean): Menu {
  const { 'Check my shop': check, Settings, ...others } = MERCHANT_MENU
  return { ...others, ...(isLocal && { 'Check my shop': check }), Settings }
}

/** Sentences about completed actions, by the word in the address. */
export const DONE = {
  captured: 'The amount was captured.',
  capture_sent: 'The capture was sent. The bank has not confirmed it yet.',
  refunded: 'The refund was made.',
  answered: 'The bank has the answer.',
  cancelled: 'Cancelled.',
  request_sent: 'The request was sent. This page shows it with its answer.',
  request_cut:
    'The request was sent, but a fault cut the connection before the answer. It is the newest request in the list.',
  request_of_nobody:
    'The request was sent without a login and got status {count}. Only the administrator can see it.',
  test_sent: 'The test webhook is being sent. The result will appear on this page.',
  closed: 'The link is closed.',
  sent_again: 'The webhook is being sent again.',
  sent_already: 'The webhook is already being sent.',
  all_sent_again: 'Webhooks that are being sent again: {count}.',
  retried: 'The next attempt is being made now.',
  removed: 'Deleted.',
  saved: 'Your changes were saved.',
  check_started: 'The check has started.',
  check_stopped: 'The check was stopped. Held webhooks were released.',
  fault_added: 'The fault was added. It applies to matching requests.',
  faults_deleted: 'All faults were deleted.',
  outcome_added: 'The outcome was added. The next matching request uses it.',
  outcomes_deleted: 'All forced outcomes were deleted.',
  released: 'Released webhooks: {count}.',
  normal: 'Everything is back to normal.',
  own_normal:
    'This merchant is back to normal. Results and faults that are set for all merchants still apply.',
  reset: 'All data were deleted.',
  restored: 'The snapshot was restored.',
  loaded: 'Added rows: {count}.',
  keys_renewed: 'A new key pair was created.',
  password_changed: 'The password was changed.',
}

export type Done = keyof typeof DONE
