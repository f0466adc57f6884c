/**
 * Each planted fault of the small shop: its cause, the cases that must fail, and cases that pass
 * and so decide the cause.
 */
export const FOUND_BY = {
  'fulfils twice': [
    'message-sends-again',
    ['plain', 'webhook-first', 'double-click', 'return-twice', 'webhook-twice', 'bank-approves'],
  ],
  'fulfils in the gap': [
    'race',
    ['webhook-and-return-at-once', 'webhook-two-connections', 'handler-slow', 'handler-too-slow'],
  ],
  'fulfils whoever returns': [
    'return-believed',
    ['declined', 'return-unpaid', 'bank-cancelled', 'bank-window-closed'],
  ],
  'believes the return': [
    'return-believed',
    ['return-unpaid', 'return-of-another-order', 'return-after-decline'],
  ],
  'believes the return when the service is down': [
    'return-believed-while-down',
    ['return-while-down'],
  ],
  'ignores the return': ['return-ignored', ['webhook-never']],
  'believes the webhook': [
    'webhook-believed',
    ['webhook-forged-status', 'webhook-of-another-order'],
  ],
  'believes unsigned webhooks': ['unsigned-webhook', ['webhook-unsigned']],
  'believes every signature': ['webhook-believed', ['webhook-forged-status', 'webhook-wrong-key']],
  'believes every merchant': ['other-merchant', ['webhook-of-another-merchant']],
  'ignores webhooks': ['webhook-ignored', ['payer-never-returns']],
  'remembers one webhook': ['webhook-forgotten', ['webhook-later'], ['webhook-twice']],
  'remembers the time of webhooks': ['old-webhook', ['webhook-stale'], ['webhook-twice']],
  'answers before it is done': ['error-hidden', ['handler-fails-first']],
  'wants the same clock': ['clock-compared', ['clocks-apart']],
  'fulfils declined payments': ['declined-fulfilled', ['declined']],
  'closes declined orders': ['order-closed', ['declined-then-paid', 'declined-then-retried']],
  'closes orders that are not paid yet': [
    'order-closed',
    ['return-then-paid', 'bank-late', 'back-from-bank'],
  ],
  'cancels on every decline': ['order-closed-later', ['decline-arrives-last']],
  'stores the amount of a webhook': ['webhook-stored', ['webhook-forged-amount']],
  'stores the currency of a webhook': ['webhook-stored', ['webhook-forged-currency']],
  'never compares the amount': ['amount-not-compared', ['order-changed', 'other-amount']],
  'never compares the currency': ['currency-not-compared', ['other-currency']],
  'marks a broken webhook as done': ['broken-webhook', ['webhook-cut']],
  'makes a new reference for every try': ['new-reference', ['paid-in-two-tabs']],
  'hangs when the service is down': [
    'service-error',
    ['service-down', 'service-limits', 'answer-lost', 'answer-cut', 'answer-html'],
  ],
  'waits too short for the service': ['service-slow', ['service-slow', 'answer-late']],
  'ignores refunds': ['refund-ignored', ['refund', 'refund-full']],
  'keeps the last refund': ['refund-last', ['refund-in-parts']],
  'adds the refund of every webhook': ['refund-added', ['refund-webhook-twice']],
  'resets refunds at the return': ['refund-lost', ['every-order']],
  'ignores voids': ['void-ignored', ['void']],
  'ignores failed captures': ['failed-capture-ignored', ['capture-fails']],
  'ignores charges': ['charge-ignored', ['subscription-charged', 'subscription-outage']],
  'counts every webhook of a charge': ['charge-counted-again', ['subscription-webhook-twice']],
  'counts charges that failed': [
    'failed-charge-counted',
    [
      'subscription-retried',
      'subscription-failed',
      'subscription-card-changed',
      'subscription-card-removed',
      'subscription-card-expired',
    ],
  ],
  'fulfils at every webhook': [
    'webhook-sends-again',
    ['plain', 'return-twice', 'webhook-twice', 'webhook-later', 'clocks-apart', 'webhook-stale'],
    ['webhook-first', 'declined'],
  ],
  'fulfils at every return': [
    'return-sends-again',
    ['webhook-first', 'return-twice', 'late-error-page'],
    ['plain', 'webhook-twice'],
  ],
  'fulfils at the webhook and at the return': [
    'webhook-and-return-send',
    ['plain', 'webhook-first', 'return-twice', 'clocks-apart'],
    ['webhook-twice'],
  ],
  'fulfils again after a refund': [
    'sent-again-after-refund',
    ['every-order'],
    ['plain', 'webhook-twice'],
  ],
  'shows every refund as a whole one': [
    'refund-whole',
    ['refund', 'refund-in-parts', 'refund-webhook-twice'],
    ['refund-full'],
  ],
  'keeps the first refund': ['refund-first', ['refund-in-parts'], ['refund', 'refund-full']],
  'fails after its work': [
    'error-after-success',
    ['payer-never-returns', 'webhook-twice', 'webhook-unknown-order'],
    ['plain'],
  ],
  'answers 500 when the service is down': [
    'service-error',
    ['service-down', 'service-limits', 'answer-html'],
    ['service-slow'],
  ],
} as const satisfies Readonly<
  Record<string, readonly [cause: string, failed: readonly string[], passed?: readonly string[]]>
>

/** Bugs of the small shop. At least one case finds each, see `check.test.ts`. */
export type PlantedFault = keyof typeof FOUND_BY
