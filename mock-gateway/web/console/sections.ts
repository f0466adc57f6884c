/** The parts of a merchant's pages, in the order of the menu: their path, which is their name, and what it is called. */
export const MERCHANT_SECTIONS = {
  '': 'Overview',
  transactions: 'Transactions',
  refunds: 'Refunds',
  subscriptions: 'Subscriptions',
  plans: 'Plans',
  customers: 'Customers',
  stored_cards: 'Stored cards',
} as const

/** The administrator's own, for all merchants. */
export const ADMINISTRATOR_SECTIONS = {
  merchants: 'Merchants',
} as const

export type Section = keyof typeof MERCHANT_SECTIONS | keyof typeof ADMINISTRATOR_SECTIONS

/** What is done, by the word that its address has: the sentence that the next page begins with. */
export const DONE: Readonly<Record<string, string>> = {
  captured: 'The amount was captured.',
  refunded: 'The refund was made.',
  cancelled: 'It was cancelled.',
}
