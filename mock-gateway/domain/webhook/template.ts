import type { WebhookTarget } from './request.ts'

/** A webhook for every transaction and stored card of a merchant (specification: Webhooks). */
export interface WebhookTemplate extends WebhookTarget {
  /** Unique for the merchant. */
  readonly name: string
  /** Number of the mail template; null: the standard mail. */
  readonly template_id: number | null
}

/** A webhook template as input: a name, and the fields of a webhook. */
export interface WebhookTemplateInput {
  name: string
  trigger: string
  type?: string | null | undefined
  url?: string | null | undefined
  http_method?: string | null | undefined
  data_format?: string | null | undefined
  email?: string | null | undefined
  template_id?: number | null | undefined
}

/**
 * Maximum number of templates of one merchant (our decision), because every event sends a request
 * for each.
 */
export const MOST_TEMPLATES = 20

/**
 * Disturbances of webhook delivery, to test a shop's handler. The defaults send each webhook
 * immediately, once and in order.
 */
export interface WebhookDelivery {
  /** Delay before the first attempt, in seconds. */
  delay: number
  /** Number of duplicates, with the same webhook-id. */
  duplicates: number
  /** Delay before the duplicates, in seconds. */
  duplicates_after: number
  /**
   * Delays every other event of a transaction by ten seconds, so that the next one overtakes it.
   */
  reorder: boolean
  /** Holds every webhook until it is released or sent by hand. */
  hold: boolean
  /** Payment references whose webhooks are held. */
  hold_orders: string[]
}

export const UNDISTURBED: WebhookDelivery = {
  delay: 0,
  duplicates: 0,
  duplicates_after: 0,
  reorder: false,
  hold: false,
  hold_orders: [],
}

/**
 * Changes of a merchant's webhooks at run time; members that are absent have the value of the
 * settings.
 */
export interface WebhookOverrides {
  readonly templates?: readonly WebhookTemplate[]
  readonly delivery?: WebhookDelivery
}
