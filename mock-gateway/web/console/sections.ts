/** Parts of a menu: their path, which is their name, and what each is called. */
type Sections = Readonly<Record<string, string>>

/** Parts of a menu by their title. */
export type Menu = Readonly<Record<string, Sections>>

/** A merchant's menu, in parts that belong together. */
export const MERCHANT_MENU = {
  Payments: {
    '': 'Overview',
    transactions: 'Transactions',
    refunds: 'Refunds',
    payment_links: 'Payment links',
    subscriptions: 'Subscriptions',
    plans: 'Plans',
    customers: 'Customers',
    stored_cards: 'Stored cards',
  },
  Integration: {
    requests: 'Requests',
    errors: 'Errors',
    findings: 'Findings',
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

/** What a merchant's menu has besides where there is a control API. */
export const SANDBOX_MENU = {
  Sandbox: {
    clock: 'Clock',
    next: 'Next payments',
    next_captures: 'Next captures',
  },
} as const satisfies Readonly<Record<string, Sections>>

/** What a merchant's menu has besides on a gateway that only this machine reaches. */
export const LOCAL_SANDBOX_MENU = {
  'Sandbox on this machine': {
    faults: 'Faults',
    reset: 'Reset',
  },
} as const satisfies Readonly<Record<string, Sections>>

/** The administrator's own, about all merchants. */
export const ADMINISTRATOR_MENU = {
  Administrator: {
    merchants: 'Merchants',
    requests: 'Requests of all',
    errors: 'Errors of all',
  },
  'Sandbox of all': {
    clock: 'Clock of all',
    next: 'Next payments of all',
    next_captures: 'Next captures of all',
    faults: 'Faults',
    data: 'Data',
  },
} as const satisfies Readonly<Record<string, Sections>>

type Union<Menu> = Menu[keyof Menu]
type Name<Menu> = Union<{ [Title in keyof Menu]: keyof Menu[Title] }>

/** Name of a part, which a page says that it belongs to. */
export type Section =
  | Name<typeof MERCHANT_MENU>
  | Name<typeof SANDBOX_MENU>
  | Name<typeof LOCAL_SANDBOX_MENU>
  | Name<typeof ADMINISTRATOR_MENU>

/** What is done, by the word that its address has: the sentence that the next page begins with. */
export const DONE = {
  captured: 'The amount was captured.',
  capture_sent: 'Wait: the bank has not confirmed the capture yet.',
  refunded: 'The refund was made.',
  cancelled: 'It was cancelled.',
  request_sent: 'It was sent. This is the new request, and its answer.',
  request_cut:
    'It was sent, and a fault cut the connection before the answer. The newest request is it.',
  request_of_nobody:
    'It was sent and answered with {count}. Nobody was logged in, so the administrator alone sees it.',
  test_sent: 'The test goes out now: this page shows what comes of it.',
  closed: 'The link is closed.',
  sent_again: 'It is sent again.',
  sent_already: 'It is being sent already.',
  all_sent_again: 'Sent again: {count}.',
  retried: 'The next attempt is made now.',
  removed: 'It was removed.',
  saved: 'It was saved.',
  waits: 'It waits now.',
  forgotten: 'They were deleted.',
  reset: 'All of it is forgotten.',
  loaded: 'Rows that were added: {count}.',
  keys_renewed: 'A new pair of keys was made.',
  password_changed: 'The password was changed.',
}

/** Such a word. */
export type Done = keyof typeof DONE
