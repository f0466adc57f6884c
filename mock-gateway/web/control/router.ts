import { type RequestHandler, Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import type { ControlKey } from '../../merchants/control-key.ts'
import type { ResetDependencies } from '../../merchants/reset.ts'
import { readMerchantId } from '../../parsing/control/read.ts'
import { exchangeOf } from '../http/exchange.ts'
import { apiHeaders } from '../http/headers.ts'
import { receiveParameters } from '../http/receive.ts'
import { noteResource, notFound } from '../http/refuse.ts'
import { type ClockControlDependencies, clockControl } from './clock.ts'
import { type ConsoleControlDependencies, consoleControl } from './console.ts'
import { type FaultControlDependencies, faultControl } from './faults.ts'
import { type FixturesControlDependencies, fixturesControl } from './fixtures.ts'
import { requireKey } from './key.ts'
import { type MailControlDependencies, mailControl } from './mails.ts'
import { type MerchantControlDependencies, merchantControl } from './merchants.ts'
import { type PaymentLinkControlDependencies, paymentLinkControl } from './payment-links.ts'
import { nextControl, type PaymentControlDependencies, paymentControl } from './payments.ts'
import { type RequestControlDependencies, requestControl } from './requests.ts'
import { resetControl } from './reset.ts'
import { seedControl } from './seed.ts'
import { snapshotControl } from './snapshots.ts'
import { type StoryControlDependencies, storyControl } from './stories.ts'
import { type TemplatesControlDependencies, templatesControl } from './templates.ts'
import { type ThreeDSecureControlDependencies, threeDSecureControl } from './three-d-secure.ts'
import { type WebhookControlDependencies, webhookControl } from './webhooks.ts'

/** Dependencies of the control API. */
export interface ControlDependencies
  extends ClockControlDependencies,
    ConsoleControlDependencies,
    PaymentControlDependencies,
    ResetDependencies,
    StoryControlDependencies,
    FaultControlDependencies,
    FixturesControlDependencies,
    MailControlDependencies,
    MerchantControlDependencies,
    PaymentLinkControlDependencies,
    RequestControlDependencies,
    TemplatesControlDependencies,
    ThreeDSecureControlDependencies,
    WebhookControlDependencies {
  /** Grants access to everything; undefined: there is no control API. */
  readonly controlKey: ControlKey | undefined
}

/** Serves `/_control`, the calls that only a mock has. They may change every merchant's data. */
export function controlRouter({ controlKey, ...parts }: ControlDependencies): Router {
  const router = Router()
  router.use(apiHeaders)
  if (controlKey === undefined) return router.use(notFound)
  router.use(requireKey(controlKey), receiveParameters, knownMerchant(parts.authenticator))
  const resources = {
    '/3ds': threeDSecureControl(parts),
    '/captures': nextControl('capture', parts),
    '/clock': clockControl(parts),
    '/console': consoleControl(parts),
    '/faults': faultControl(parts),
    '/fixtures': fixturesControl(parts),
    '/mails': mailControl(parts),
    '/merchants': merchantControl(parts),
    '/payment-links': paymentLinkControl(parts),
    '/payments': paymentControl(parts),
    '/requests': requestControl(parts),
    '/reset': resetControl(parts),
    '/seed': seedControl(parts),
    '/snapshots': snapshotControl(parts),
    '/stories': storyControl(parts),
    '/templates': templatesControl(parts),
    '/webhooks': webhookControl(parts),
  }
  for (const [path, resource] of Object.entries(resources)) router.use(path, resource)
  router.use(notFound)
  return router.use(Object.keys(resources), noteResource)
}

/** @throws errors.merchant.not_found (104) if merchant_id names no merchant */
const knownMerchant =
  ({ find }: Authenticator): RequestHandler =>
  async (_request, response, next) => {
    const id = readMerchantId(exchangeOf(response).parameters)
    if (id !== undefined && !(await find(id)))
      throw new GatewayError('errors.merchant.not_found', {
        explain: `There is no merchant ${id}.`,
      })
    next()
  }
