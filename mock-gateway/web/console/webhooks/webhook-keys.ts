import { badFormat } from '../../../domain/errors/errors.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { parseSettings } from '../../../domain/setting-text.ts'
import { changeMerchant } from '../../../merchants/administer.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { exchangeOf } from '../../http/exchange.ts'
import { html } from '../../pages/html.ts'
import { factList } from '../parts/cell.ts'
import { copied, plain } from '../parts/cells.ts'
import { type ConsoleProblem, filledIn, redisplayOnError } from '../parts/form-errors.ts'
import { formView } from '../parts/forms.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type FormAction,
  type MerchantVisit,
  noPage,
  textsOf,
} from '../visit.ts'

const section = 'webhook_templates'
const path = '/webhook_keys/new'

/** The form of another key that webhooks are signed with (setting webhook_keys). */
export const WEBHOOK_KEY_PAGE: ConsolePage<MerchantVisit> = {
  path,
  section,
  show: async (visit) => show(visit),
}

export const WEBHOOK_KEY_ACTS: readonly FormAction<MerchantVisit>[] = [
  { path, section, act: add },
  {
    path: '/webhook_keys/:number/remove',
    section,
    async act(visit) {
      const { webhook_keys } = visit.merchant.settings
      const left = webhook_keys.filter((_key, index) => String(index + 1) !== visit.named.number)
      if (left.length === webhook_keys.length) throw noPage()
      await put(visit, left)
      return { to: '/webhook_templates', done: 'removed' }
    },
  },
]

/** Bytes of a key that is made (Standard Webhooks: 24 to 64). */
const BYTES = 32

/** Adds a key, and renders the page that shows it. No other page shows the key. */
async function add(visit: MerchantVisit) {
  const { merchant, dependencies, parameters } = visit
  const typed = text(parameters, 'key')
  const key =
    typed ?? `whsec_${Buffer.from(dependencies.chance.of(merchant.id)(BYTES)).toString('base64')}`
  const made: ConsoleView[] = []
  const done = await redisplayOnError(
    visit,
    async () => {
      await put(visit, [...merchant.settings.webhook_keys, key])
      made.push({
        title: 'Webhook signing key',
        body: html`<p>Copy the key now: it is never shown again.</p>
${factList([{ name: 'Key', ...copied(plain(key)) }])}
<p><a href="${visit.home}/webhook_templates">Webhook templates</a>,
<a href="${visit.home}/webhooks/test">send a test webhook</a></p>`,
      })
      return { to: '/webhook_templates', done: 'saved' }
    },
    async (problem) => show(visit, problem),
  )
  return typed === undefined ? (made[0] ?? done) : done
}

/** @throws errors.request.bad_format (253), also if the keys are in the start-up configuration */
async function put(
  { merchant, dependencies, response }: MerchantVisit,
  keys: readonly string[],
): Promise<void> {
  const { changes, problems } = parseSettings({ webhook_keys: keys })
  if (problems.webhook_keys !== undefined)
    throw badFormat(`The key cannot be used: ${problems.webhook_keys}.`)
  await changeMerchant(dependencies, merchant.id, { settings: changes }, exchangeOf(response).now)
}

/** Lists the signing keys, each by its last characters. */
export const keysOf = ({ settings }: Merchant) =>
  settings.webhook_keys.map((key, index) => ({
    number: index + 1,
    text: `whsec_***${key.slice(-4)}`,
  }))

const FIELDS = {
  key: {
    label: 'Key',
    help: 'whsec_ and base64 of 24 to 64 bytes. Empty: the gateway generates a key and shows it once.',
  },
}

function show(visit: MerchantVisit, problem: ConsoleProblem | null = null): ConsoleView {
  const templates = `${visit.home}/webhook_templates`
  const form = formView({
    formToken: visit.formToken,
    to: `${visit.home}/webhook_keys/new`,
    ...filledIn(FIELDS, textsOf(visit.parameters, ['key']), problem),
    button: 'Add',
    after: html`<a href="${templates}">Back</a>`,
  })
  return {
    title: 'Add a webhook signing key',
    body: html`<p class="quiet">Each webhook is signed with every key, with at most three keys.
Without a key here, the gateway derives the key from the merchant’s secret.
The first key that you add replaces the derived key, so give it to your shop immediately.</p>
${form}`,
  }
}
