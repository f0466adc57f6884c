import { listOwnAddresses } from '../domain/addresses.ts'
import type { errorBody } from '../domain/errors/errors.ts'
import type { Locale } from '../domain/language/languages.ts'
import { checkReturnUrl, type ReturnUrl } from '../domain/order/urls.ts'
import { record } from '../outbox/record.ts'
import { loadTemplateVariables, type TemplateVariables } from '../serializers/template-variables.ts'
import { formatWireTime } from '../serializers/time.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { NewTemplateRow, TemplateRow } from '../storage/tables/templates.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { EVERYBODY, findPartials, findTemplate } from '../storage/templates.ts'
import { loadRecord } from '../storage/transaction-parts.ts'
import type { OpenWork, Work } from '../work/work.ts'
import type { TemplatePreview } from './preview.ts'
import { TemplateError, type TemplateProblem } from './problems.ts'

/** Data of a page in addition to its transaction. */
interface PageContents {
  readonly locale: Locale
  /** The previous error, in the catalogue's words. */
  readonly error: ReturnType<typeof errorBody> | null
  /** Nonce of the answer. */
  readonly nonce: string
}

/** Logs a warning for the merchant: one of its templates could not be shown. */
export type Warn = (facts: Readonly<Record<string, unknown>>, message: string) => void

/** Parts of a payment's Liquid that failed, in the gateway or in a browser. */
type TemplatePart = 'page' | 'page_script' | 'page_form' | ReturnUrl

/** Renders merchants' templates in Liquid, which is loaded with the first template. */
export class Templates {
  readonly #warn: Warn

  constructor(warn: Warn) {
    this.#warn = warn
  }

  /**
   * Renders the merchant's own page of a payment; undefined if it has none, or if it cannot be
   * rendered: see its log.
   */
  async page(
    work: OpenWork,
    stored: TransactionRow,
    shown: PageContents,
  ): Promise<string | undefined> {
    const { template_id: id, merchant_id: merchantId } = stored
    const template = id === null ? undefined : await findTemplate(work.queries, merchantId, id)
    if (template?.kind !== 'page') return undefined
    const row = {
      ...stored,
      success_url: await this.returnAddress(work, stored, 'success_url'),
      error_url: await this.returnAddress(work, stored, 'error_url'),
    }
    try {
      const variables = await createPageVariables(work, row, shown)
      return await renderPrepared(getWorkOrigin(work), template.prepared, variables)
    } catch (error) {
      await this.#recordFailure(work, row, 'page', error)
      return undefined
    }
  }

  /** Reports problems that a browser had with the merchant's page, once for each transaction. */
  async toldByPage(
    work: OpenWork,
    row: TransactionRow,
    what: 'page_script' | 'page_form',
    reason: string,
  ): Promise<void> {
    const { id, template_id } = row
    if (template_id !== null && (await keepFailure(work, row, what, reason)))
      this.#warn(
        { transaction_id: id, what, template_id, reason },
        "A page template did not work in a payer's browser",
      )
  }

  /** Renders a return address; null if there is none, or if it cannot be rendered. */
  async returnAddress(
    work: OpenWork,
    row: TransactionRow,
    which: ReturnUrl,
  ): Promise<string | null> {
    const url = row[which]
    if (url === null || !hasLiquid(url)) return url
    const variables = await loadTemplateVariables({ ...work, locale: 'en' }, row)
    try {
      return await renderAddress(work, url, which, variables)
    } catch (error) {
      await this.#recordFailure(work, row, which, error)
      return null
    }
  }

  /**
   * Renders a return address of a request that created no payment, so without its data.
   * @throws TemplateError
   */
  async bareAddress(work: Work, url: string, which: ReturnUrl): Promise<string> {
    return hasLiquid(url) ? renderAddress(work, url, which, {}) : url
  }

  /** Renders a template before payers see it, stored or not, with its problems. */
  async preview(
    work: Work,
    template: Pick<TemplateRow, 'kind' | 'source'>,
    row: TransactionRow | undefined,
  ): Promise<TemplatePreview> {
    const shown = { locale: 'en', error: null, nonce: '' } as const
    const variables = row
      ? await createPageVariables(work, row, shown)
      : listShownVariables(work, shown)
    return preview(getWorkOrigin(work), template, variables)
  }

  /** Lists the problems of a new template, and logs them. */
  async checkTemplate(queries: Queries, row: NewTemplateRow): Promise<readonly TemplateProblem[]> {
    const { merchant_id, id, name } = row
    const { problems } = await preview({ queries, merchantId: merchant_id, own: [] }, row, {})
    const failure = problems.map(({ line, message }) =>
      line === null ? message : `line ${line}: ${message}`,
    )
    const whose = merchant_id === EVERYBODY ? 'everybody' : merchant_id
    const facts = { merchant_id: whose, template_id: id, name, problems: failure }
    if (failure.length > 0) this.#warn(facts, 'A stored template has problems')
    return problems
  }

  async #recordFailure(
    work: OpenWork,
    row: TransactionRow,
    what: TemplatePart,
    error: unknown,
  ): Promise<void> {
    if (!(error instanceof TemplateError)) throw error
    const { id, template_id } = row
    const reason = error.message
    this.#warn(
      { transaction_id: id, what, template_id, reason },
      'A template of the merchant could not be rendered',
    )
    await keepFailure(work, row, what, reason)
  }
}

async function renderAddress(
  work: Work,
  url: string,
  which: ReturnUrl,
  variables: TemplateVariables,
): Promise<string> {
  const { prepare } = await import('./prepare.ts')
  const { renderTemplate } = await import('./engine.ts')
  const { prepared } = await prepare(url, 'address')
  const rendered = (await renderTemplate({ prepared, variables, partials: {}, own: [] })).trim()
  try {
    checkReturnUrl(rendered, which, { own: listOwnAddresses(work.addresses) })
  } catch (cause) {
    const message = `It does not produce a usable address: ${(cause as Error).message}`
    throw new TemplateError(message, null, { cause })
  }
  if (parseOrigin(rendered) !== parseOrigin(url))
    throw new TemplateError('It leads to a different host than it shows')
  return rendered
}

async function preview(
  origin: TemplateOrigin,
  { kind, source }: Pick<TemplateRow, 'kind' | 'source'>,
  variables: TemplateVariables,
): Promise<TemplatePreview> {
  const { previewTemplate } = await import('./preview.ts')
  const partials = await loadPartials(origin, source)
  return previewTemplate({ kind, source, variables, partials, own: origin.own })
}

/**
 * Renders a prepared template with the merchant's partials.
 * @throws TemplateError
 */
export async function renderPrepared(
  origin: TemplateOrigin,
  prepared: string,
  variables: TemplateVariables,
): Promise<string> {
  const { renderTemplate } = await import('./engine.ts')
  const partials = await loadPartials(origin, prepared)
  return renderTemplate({ prepared, partials, variables, own: origin.own })
}

async function loadPartials({ queries, merchantId }: TemplateOrigin, source: string) {
  const rows = /\{%-?\s*(?:include|render|layout)/.test(source)
    ? await findPartials(queries, merchantId)
    : []
  return Object.fromEntries(rows.map(({ name, prepared: partial }) => [name, partial]))
}

/**
 * Records a failure once for each transaction, whatever the reason of the next failure.
 * @returns false if a failure was recorded before
 */
function keepFailure(
  work: OpenWork,
  row: TransactionRow,
  what: TemplatePart,
  reason: string,
): Promise<boolean> {
  const { template_id } = row
  return work.write(async (steps) => {
    const { parts } = await loadRecord(steps.queries, row)
    const isKnown = parts.logEvents.some(
      ({ data }) =>
        data.event === 'template_failed' && data.what === what && data.template_id === template_id,
    )
    if (isKnown) return false
    await record(steps, row, [{ event: 'template_failed', what, template_id, reason }], parts)
    return true
  })
}

/** The merchant of a template, and the origins of its scripts. */
export interface TemplateOrigin {
  readonly queries: Queries
  readonly merchantId: number
  readonly own: readonly string[]
}

const getWorkOrigin = ({
  queries,
  merchant,
  addresses: { base, pay, cdn },
}: Work): TemplateOrigin => ({
  queries,
  merchantId: merchant.id,
  own: [base, pay, cdn],
})

const hasLiquid = (url: string): boolean => /\{[{%]/.test(url)

/** Returns scheme and authority of an address as written, up to the character that ends them. */
const parseOrigin = (url: string): string | undefined =>
  URL.parse(/^[^:]+:\/\/[^/?#]*/.exec(url)?.[0] ?? '')?.origin

async function createPageVariables(
  work: Work,
  row: TransactionRow,
  shown: PageContents,
): Promise<TemplateVariables> {
  return {
    ...(await loadTemplateVariables({ ...work, locale: shown.locale }, row)),
    ...listShownVariables(work, shown),
    mondido: {
      token: row.href_token,
      transaction: { id: row.id },
      merchant: { id: row.merchant_id },
    },
  }
}

const listShownVariables = (
  { addresses, now }: Work,
  { locale, error, nonce }: PageContents,
): TemplateVariables => ({
  locale,
  error,
  csp_nonce: nonce,
  endpoint: `${addresses.pay}/v1/`,
  now: formatWireTime(now),
})
