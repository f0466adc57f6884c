import type { GivenSettings } from './merchant.ts'
import { PAYER_FIELDS } from './payer/page-fields.ts'

/** Settings for an old client, with the reasons. */
export interface Preset {
  /** Description of the client. */
  readonly client: string
  readonly settings: GivenSettings
  /** One sentence for each setting, in the same order. */
  readonly why: string
}

/** Shops on this machine, on any port. A shop elsewhere sets its own origin. */
const FRAMED_HERE = ['http://localhost:*', 'http://127.0.0.1:*']

const FORM_PLUGIN: GivenSettings = {
  payer_options: ['webhook', 'store_card', 'authorize'],
  strict_hash: false,
}
const WHY_FORM =
  'The payer’s browser posts its form without a login and requests a reservation. Its hash can leave parts out.'

const WEB_VIEW = {
  settings: { page_refused: 'error_url', strict_hash: false },
  why: 'Its web view waits for an address with status=declined, so the page must redirect there. Its hash leaves out the currency.',
} as const

/** Old clients by name, with every setting they rely on, including defaults (observed: 2 to 10). */
export const PRESETS = {
  'woocommerce-1': {
    client: 'WooCommerce plug-in 1.x, 2014',
    settings: FORM_PLUGIN,
    why: WHY_FORM,
  },
  'woocommerce-3': {
    client: 'WooCommerce plug-in 3.x, 2017',
    settings: FORM_PLUGIN,
    why: WHY_FORM,
  },
  'woocommerce-4': {
    client: 'WooCommerce plug-in 4.x with a form, 2018',
    settings: FORM_PLUGIN,
    why: WHY_FORM,
  },
  'woocommerce-checkout': {
    client: 'WooCommerce checkout plug-in, 2018',
    settings: { frame_parents: FRAMED_HERE },
    why: 'It shows the payment page in a frame.',
  },
  prestashop: {
    client: 'PrestaShop module 2, 2022, and PrestaShop checkout, 2018',
    settings: { frame_parents: FRAMED_HERE, payer_details: [...PAYER_FIELDS] },
    why: 'It shows the payment page in a frame. Its webhook handler fails with status 500 if the name or address of the payer is missing.',
  },
  'magento-2': {
    client: 'Magento 2 module, 2016 to 2019',
    settings: { frame_parents: FRAMED_HERE },
    why: 'It shows the payment page in a frame.',
  },
  'csharp-2': {
    client: 'C# SDK 2.3, 2018',
    settings: { error_object: true },
    why: 'It reads object.transaction of every error, and fails if there is none.',
  },
  'ruby-1': {
    client: 'Ruby SDK 1.1 and ActiveMerchant, 2014 to 2015',
    settings: { error_object: false, strict_hash: false },
    why: 'It recognises an error only by its three keys, so an error must not have any other key. Its hash leaves out the test flag.',
  },
  ios: { client: 'iOS SDK 1.4, 2014 to 2020', ...WEB_VIEW },
  android: {
    client: 'Android SDK 1.0, 2014',
    settings: { ...WEB_VIEW.settings, form_in_place: true },
    why: `${WEB_VIEW.why} It treats every address as an error, except the form's and the shop's.`,
  },
} as const satisfies Readonly<Record<string, Preset>>

export type PresetName = keyof typeof PRESETS

export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[]

export const isPreset = (name: string): name is PresetName => Object.hasOwn(PRESETS, name)

/** Returns the settings of a preset; empty without a preset. */
export const getPresetSettings = (name: PresetName | undefined): GivenSettings =>
  name === undefined ? {} : PRESETS[name].settings
