import type { Metadata } from '../contract/wire.ts'
import { ownAddresses } from '../domain/addresses.ts'
import type { errorBody } from '../domain/errors/errors.ts'
import type { Locale } from '../domain/language/languages.ts'
import { checkReturnUrl, type ReturnUrl } from '../domain/order/urls.ts'
import type { PaymentEvent } from '../outbox/payment-events.ts'
import { record } from '../outbox/record.ts'
import { loadTemplateVariables, type TemplateVariables } from '../serializers/template-variables.ts'
import { wireTime } from '../serializers/time.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { NewTemplateRow, TemplateKind, TemplateRow } from '../storage/tables/templates.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import { EVERYBODY, findTemplate, partialsOf } from '../storage/templates.ts'
import { loadRecord } from '../storage/transaction-parts.ts'
import type { OpenWork, Work } from '../work/work.ts'
import type { Job, RenderedTemplate } from './engine.ts'
import { TemplateError } from './render-thread.ts'
import type { Renderer } from './renderer.ts'
import type { TemplateProblem } from './repair.ts'

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

/** Renders merchants' templates in Liquid. */
export interface Templates {
  /**
   * Renders the merchant's own page of a payment; undefined if it has none, or if it cannot be
   * rendered: see its log.
   */
  page(work: OpenWork, row: TransactionRow, shown: PageContents): Promise<string | undefined>
  /** Reports problems that a browser had with the merchant's page, once for each transaction. */
  toldByPage(
    work: OpenWork,
    row: TransactionRow,
    what: 'page_script' | 'page_form',
    reason: string,
  ): Promise<void>
  /**
   * Returns the transaction with rendered return addresses. Addresses that cannot be rendered are
   * omitted.
   * @param which the addresses to render; default: both
   */
  withAddresses(
    work: OpenWork,
    row: TransactionRow,
    which?: readonly ReturnUrl[],
  ): Promise<TransactionRow>
  /**
   * Renders a return address of a request that created no payment, so without its data.
   * @throws TemplateError
   */
  bareAddress(work: Work, url: string, which: ReturnUrl): Promise<string>
  /** Lists the problems of a new template, and logs them. */
  checkTemplate(queries: Queries, template: NewTemplateRow): Promise<readonly TemplateProblem[]>
  /** A template as it would be shown. @throws TemplateError */
  preview(
    work: Work,
    template: Pick<TemplateRow, 'kind' | 'prepared'>,
    row: TransactionRow | undefined,
    shown: PageContents,
  ): Promise<RenderedTemplate>
}

/** Parts of a payment's Liquid that failed, in the gateway or in a browser. */
type TemplatePart = 'page' | 'page_script' | 'page_form' | ReturnUrl

export function createTemplates(renderer: Renderer, warn: Warn): Templates {
  /** @param check kind of template, for the check */
  async function render(
    { queries, merchantId, own }: TemplateOrigin,
    prepared: string,
    variables: TemplateVariables,
    check?: TemplateKind,
  ): Promise<RenderedTemplate> {
    const partials = /\{%-?\s*(?:include|render|layout)/.test(prepared)
      ? await partialsOf(queries, merchantId)
      : []
    const job: Job = {
      mode: 'page',
      source: prepared,
      partials: Object.fromEntries(partials.map(({ name, prepared }) => [name, prepared])),
      variables: JSON.stringify(variables),
      own,
      ...(check && { check }),
    }
    // A check has its own time limit, because no payer waits for it.
    return renderer.render(merchantId, job, check && LOOK_LIMIT_MS)
  }

  async function address(
    work: Work,
    url: string,
    which: ReturnUrl,
    variables: TemplateVariables,
  ): Promise<string> {
    const job = { mode: 'address', source: url, partials: {}, own: [] } as const
    const { text } = await renderer.render(work.merchant.id, {
      ...job,
      variables: JSON.stringify(variables),
    })
    const rendered = text.trim()
    try {
      checkReturnUrl(rendered, which, { own: ownAddresses(work.addresses) })
    } catch (cause) {
      throw new TemplateError(`It does not produce a usable address: ${(cause as Error).message}`, {
        cause,
      })
    }
    if (originOf(rendered) !== originOf(url))
      throw new TemplateError('It leads to a different host than it shows')
    return rendered
  }

  async function failed(
    work: OpenWork,
    row: TransactionRow,
    what: TemplatePart,
    error: unknown,
  ): Promise<void> {
    if (!(error instanceof TemplateError)) throw error
    const facts = {
      transaction_id: row.id,
      what,
      template_id: row.template_id,
      reason: error.message,
    }
    warn(facts, 'A template of the merchant could not be rendered')
    await keep(work, row, what, error.message)
  }

  /**
   * Records a failure once for each transaction, whatever the reason of the next failure.
   * @returns false if a failure was recorded before
   */
  function keep(
    work: OpenWork,
    row: TransactionRow,
    what: TemplatePart,
    reason: string,
  ): Promise<boolean> {
    const failed = { event: 'template_failed', what, template_id: row.template_id, reason } as const
    return work.write(async (steps) => {
      const { parts } = await loadRecord(steps.queries, row)
      if (parts.logEvents.some(({ data }) => isToldBy(data, failed))) return false
      await record(steps, row, [failed], parts)
      return true
    })
  }

  return {
    async page(work, row, shown) {
      const template =
        row.template_id === null
          ? undefined
          : await findTemplate(work.queries, row.merchant_id, row.template_id)
      if (template?.kind !== 'page') return undefined
      try {
        return (
          await render(whereOf(work), template.prepared, await pageVariables(work, row, shown))
        ).text
      } catch (error) {
        await failed(work, row, 'page', error)
        return undefined
      }
    },

    async toldByPage(work, row, what, reason) {
      const facts = { transaction_id: row.id, what, template_id: row.template_id, reason }
      if (row.template_id !== null && (await keep(work, row, what, reason)))
        warn(facts, "A page template did not work in a payer's browser")
    },

    async withAddresses(work, row, wanted = ['success_url', 'error_url']) {
      const liquid = wanted.filter((which) => hasLiquid(row[which]))
      if (liquid.length === 0) return row
      const variables = await loadTemplateVariables({ ...work, locale: 'en' }, row)
      const rendered: Partial<Record<ReturnUrl, string | null>> = {}
      for (const which of liquid)
        try {
          rendered[which] = await address(work, row[which] ?? '', which, variables)
        } catch (error) {
          rendered[which] = null
          await failed(work, row, which, error)
        }
      return { ...row, ...rendered }
    },

    bareAddress: async (work, url, which) =>
      hasLiquid(url) ? await address(work, url, which, {}) : url,

    async preview(work, { kind, prepared }, row, shown) {
      const variables = row ? await pageVariables(work, row, shown) : shownVariables(work, shown)
      return render(whereOf(work), prepared, variables, kind)
    },

    async checkTemplate(queries, { merchant_id: merchantId, id, name, kind, prepared }) {
      const problems = await render({ queries, merchantId, own: [] }, prepared, {}, kind).then(
        ({ problems }) => problems,
        problemsOf,
      )
      const told = problems.map(({ line, message }) =>
        line === null ? message : `line ${line}: ${message}`,
      )
      const whose = merchantId === EVERYBODY ? 'everybody' : merchantId
      if (told.length > 0)
        warn(
          { merchant_id: whose, template_id: id, name, problems: told },
          'A stored template has problems',
        )
      return problems
    },
  }
}

/** Milliseconds. */
const LOOK_LIMIT_MS = 10_000

function problemsOf(error: unknown): readonly TemplateProblem[] {
  if (error instanceof TemplateError) return error.problems
  throw error
}

/** The merchant of a template, and the origins of its scripts. */
interface TemplateOrigin {
  readonly queries: Queries
  readonly merchantId: number
  readonly own: readonly string[]
}

const whereOf = ({ queries, merchant, addresses: { base, pay, cdn } }: Work): TemplateOrigin => ({
  queries,
  merchantId: merchant.id,
  own: [base, pay, cdn],
})

/** True if an entry of the log reports the same failure, with any reason. */
const isToldBy = (
  data: Metadata,
  told: PaymentEvent & { readonly event: 'template_failed' },
): boolean =>
  data.event === told.event && data.what === told.what && data.template_id === told.template_id

const hasLiquid = (url: string | null): boolean => url !== null && /\{[{%]/.test(url)

/** Returns scheme and authority of an address as written, up to the character that ends them. */
const originOf = (url: string): string | undefined =>
  URL.parse(/^[^:]+:\/\/[^/?#]*/.exec(url)?.[0] ?? '')?.origin

async function pageVariables(
  work: Work,
  row: TransactionRow,
  shown: PageContents,
): Promise<TemplateVariables> {
  return {
    ...(await loadTemplateVariables({ ...work, locale: shown.locale }, row)),
    ...shownVariables(work, shown),
    mondido: {
      token: row.href_token,
      transaction: { id: row.id },
      merchant: { id: row.merchant_id },
    },
  }
}

const shownVariables = (
  { addresses, now }: Work,
  { locale, error, nonce }: PageContents,
): TemplateVariables => ({
  locale,
  error,
  csp_nonce: nonce,
  endpoint: `${addresses.pay}/v1/`,
  now: wireTime(now),
})
