import { QUESTION_KINDS } from '../../../mock-gateway/domain/card/bank-questions.ts'
import type { GivenSettings } from '../../../mock-gateway/domain/merchant.ts'
import { PAGE_METHODS } from '../../../mock-gateway/domain/order/payment-methods.ts'
import { WALLET_TYPES } from '../../../mock-gateway/domain/order/wallets.ts'
import { PAYER_FIELDS } from '../../../mock-gateway/domain/payer/page-fields.ts'
import { TRIGGERS } from '../../../mock-gateway/domain/webhook/triggers.ts'
import { drawsBy } from './corpus.ts'

const FORMATS = ['json', 'form_data', 'xml']

/** Values of settings that differ from the defaults. */
const OTHERS: { readonly [Name in keyof GivenSettings]: readonly GivenSettings[Name][] } = {
  account_currency: ['eur', 'usd'],
  card_types: [['visa'], ['mastercard', 'amex']],
  live_cards: ['refuse'],
  invoice: [false],
  payer_options: [['webhook', 'store_card', 'authorize', 'template_id'], []],
  three_d_secure: ['off', 'always', 'always'],
  three_d_secure_unavailable: ['refuse'],
  three_d_secure_question: QUESTION_KINDS,
  rules: [
    [
      { name: 'dear', when: { amount_from: '10.00' }, action: 'three_d_secure', question: 'app' },
      {
        name: 'often',
        when: { payments: { of: 'card_number', more_than: 20, hours: 1 } },
        action: 'decline',
      },
      {
        name: 'dear ones',
        when: { amount_from: '900.00', currency: ['sek'] },
        action: 'skip_webhook',
      },
    ],
    [{ name: 'abroad', when: { country: ['NOR'], card_type: ['amex'] }, action: 'decline' }],
  ],
  fraud_limit: [50],
  capture_seconds: [1, 60],
  dunning: [[1], []],
  dunning_end: ['cancel'],
  missed_periods: ['latest'],
  frame_parents: [['https://shop.example', 'http://localhost:*']],
  logo: ['https://shop.example/logo.png'],
  page_minutes: [0, 1],
  page_tries: [1, 3],
  page_refused: ['page'],
  form_in_place: [true],
  payment_methods: [['credit_card'], [...PAGE_METHODS].reverse()],
  wallets: [[...WALLET_TYPES], [...WALLET_TYPES]],
  payer_details: [['email'], [...PAYER_FIELDS]],
  stored_card_cvv: [true],
  page_test_helper: [false],
  administrators: [[{ email: 'kim@shop.example' }]],
  error_object: [true],
  webhook_delivery: [{ delay: 1, duplicates: 2, reorder: true }],
}

/** Share of settings with another value than the default. */
const VARIED = 0.3

/**
 * Draws settings that partly differ from the defaults.
 * @param hooks addresses that accept webhooks
 * @returns the same settings for the same number
 */
export function variedSettings(number: number, hooks: readonly string[]): GivenSettings {
  const draw = drawsBy(number)
  const any = <Value>(values: readonly Value[]) => values[Math.floor(draw() * values.length)]
  const chosen = Object.entries(OTHERS).flatMap(([name, values]) =>
    draw() < VARIED ? [[name, any<unknown>(values)]] : [],
  )
  const webhooks = TRIGGERS.flatMap((trigger) => [
    {
      name: `call-${trigger}`,
      trigger,
      url: any(hooks),
      data_format: any(FORMATS),
      http_method: any(['post', 'get']),
    },
    {
      name: `mail-${trigger}`,
      trigger,
      type: any(['email', 'receipt']),
      email: 'kim@shop.example',
      template_id: any([null, 1, 3, 5]),
    },
  ])
  return { ...Object.fromEntries(chosen), ...(draw() < VARIED && { webhooks }) }
}
