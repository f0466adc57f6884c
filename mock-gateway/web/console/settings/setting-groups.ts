import { SETTING_NAMES, type SettingName } from '../../../domain/merchant.ts'
import { formatLabel } from '../parts/filters.ts'

/** Settings with a page of their own, or with secrets. */
const APART_SETTINGS: readonly SettingName[] = ['webhooks', 'webhook_delivery', 'webhook_keys']

const FORM_SETTINGS = SETTING_NAMES.filter((name) => !APART_SETTINGS.includes(name))

/** Groups of settings. A setting without a group is in the last one. */
const ABOUT: Readonly<Record<string, readonly SettingName[]>> = {
  Account: ['account_currency', 'strict_hash', 'payer_options', 'error_object', 'administrators'],
  Cards: ['card_types', 'live_cards', 'stored_card_cvv', 'capture_seconds'],
  '3-D Secure and risk': [
    'three_d_secure',
    'three_d_secure_unavailable',
    'three_d_secure_question',
    'rules',
    'fraud_limit',
  ],
  'Payment page': [
    'payment_methods',
    'wallets',
    'payer_details',
    'invoice',
    'logo',
    'settings_hosted',
    'frame_parents',
    'form_in_place',
    'page_minutes',
    'page_tries',
    'page_refused',
    'page_test_helper',
  ],
  Subscriptions: ['dunning', 'dunning_end', 'missed_periods'],
}

export const SETTING_GROUPS: Readonly<Record<string, readonly SettingName[]>> = {
  ...ABOUT,
  Other: FORM_SETTINGS.filter((name) => !Object.values(ABOUT).flat().includes(name)),
}

const LABELS: Readonly<Partial<Record<SettingName, string>>> = {
  account_currency: 'Currency of the account',
  strict_hash: 'Reject incomplete hashes',
  payer_options: 'Fields that payers may send',
  error_object: 'Transaction in error answers',
  administrators: 'People who get mails about failed webhooks',
  card_types: 'Accepted card types',
  live_cards: 'Cards that are not test cards',
  stored_card_cvv: 'Security code for stored cards',
  capture_seconds: 'Seconds until a capture is confirmed',
  three_d_secure: 'Payments with 3-D Secure',
  three_d_secure_unavailable: 'Payments without available 3-D Secure',
  three_d_secure_question: 'Challenge of the simulated bank',
  fraud_limit: 'Lowest declined fraud score',
  wallets: 'Simulated wallets',
  payer_details: 'Details that the payer must enter',
  invoice: 'Invoice payments',
  settings_hosted: 'Values for page templates',
  frame_parents: 'Sites that may frame the payment page',
  form_in_place: 'Payment page at the address of the form',
  page_minutes: 'Minutes until the payment page expires',
  page_tries: 'Attempts on a payment page',
  page_test_helper: 'Test helper on the payment page',
  dunning_end: 'After the last failed retry',
  missed_periods: 'Charges of missed periods',
  page_refused: 'After a decline',
  dunning: 'Days between retries of a failed charge',
}

/** Words for the values of settings that have few. */
const CHOICES: Readonly<Partial<Record<SettingName, Readonly<Record<string, string>>>>> = {
  live_cards: { simulate: 'simulated', refuse: 'rejected with error 243' },
  three_d_secure: {
    off: 'none',
    card: 'some, by test card',
    always: 'every card payment',
  },
  three_d_secure_unavailable: { accept: 'continue', refuse: 'declined with error 169' },
  three_d_secure_question: {
    code: 'one-time code',
    app: 'approval in the bank’s app',
    choice: 'one correct choice',
    choices: 'several correct choices',
    bankid: 'electronic ID',
  },
  page_refused: { error_url: 'redirect to the error URL', page: 'ask for another card' },
  dunning_end: { keep: 'the subscription continues', cancel: 'the subscription is cancelled' },
  missed_periods: { each: 'one for each period', latest: 'one for the most recent period' },
}

export const choiceText = (name: SettingName, choice: string): string =>
  CHOICES[name]?.[choice] ?? { true: 'yes', false: 'no' }[choice] ?? choice.replaceAll('_', ' ')

export const settingLabel = (name: SettingName): string => LABELS[name] ?? formatLabel(name)
