/** Sections of a menu: path, which is also the name, and label. */
type Sections = Readonly<Record<string, string>>

/** Groups of a menu by title. */
export type Menu = Readonly<Record<string, Sections>>

/** A merchant's menu, in groups. */
export const MERCHANT_MENU = {
  Payments: {
    '': 'Overview',
    transactions: 'Transactions',
    refunds: 'Refunds',
    sums: 'Sums',
    payment_links: 'Payment links',
    subscriptions: 'Subscriptions',
    plans: 'Plans',
    customers: 'Customers',
    stored_cards: 'Stored cards',
  },
  Integration: {
    requests: 'Requests',
    errors: 'Errors',
    findings: 'Warnings',
    hash: 'Request hash',
  },
  Webhooks: {
    webhooks: 'Deliveries',
    notifications: 'Notifications',
    webhook_templates: 'Templates',
    mails: 'Mails',
  },
  Account: {
    settings: 'Settings',
    rules: 'Rules',
    templates: 'Page templates',
  },
} as const satisfies Readonly<Record<string, Sections>>

/** Additional group if there is a control API. */
export const SANDBOX_MENU = {
  Sandbox: {
    clock: 'Clock',
    next: 'Next payments',
    next_captures: 'Next captures',
  },
} as const satisfies Readonly<Record<string, Sections>>

/** The same group if only this machine reaches the gateway. */
export const LOCAL_SANDBOX_MENU = {
  Sandbox: {
    ...SANDBOX_MENU.Sandbox,
    check: 'Check my shop',
    faults: 'Faults',
    snapshots: 'Snapshots',
    reset: 'Reset',
  },
} as const satisfies Readonly<Record<string, Sections>>

/** The administrator's way from a merchant's pages to all merchants. */
export const WAY_BACK_MENU = {
  Administrator: { merchants: 'All merchants' },
} as const satisfies Readonly<Record<string, Sections>>

/** The administrator's menu, about all merchants. */
export const ADMINISTRATOR_MENU = {
  Administrator: {
    merchants: 'Merchants',
    requests: 'All requests',
    errors: 'All errors',
  },
  'All merchants: sandbox': {
    clock: 'Clock',
    next: 'Next payments',
    next_captures: 'Next captures',
    faults: 'Faults',
    snapshots: 'Snapshots',
    data: 'Data',
  },
} as const satisfies Readonly<Record<string, Sections>>

type Union<Menu> = Menu[keyof Menu]
type Name<Menu> = Union<{ [Title in keyof Menu]: keyof Menu[Title] }>

/** Name of a section, which a page belongs to. */
export type Section =
  | Name<typeof MERCHANT_MENU>
  | Name<typeof LOCAL_SANDBOX_MENU>
  | Name<typeof ADMINISTRATOR_MENU>

/** Sentences about completed actions, by the word in the address. */
export const DONE = {
  captured: 'The amount was captured.',
  capture_sent: 'The capture was sent. The bank has not confirmed it yet.',
  refunded: 'The refund was made.',
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
  reset: 'All data were deleted.',
  restored: 'The snapshot was restored.',
  loaded: 'Added rows: {count}.',
  keys_renewed: 'A new key pair was created.',
  password_changed: 'The password was changed.',
}

export type Done = keyof typeof DONE
