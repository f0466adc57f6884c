import { type Response, Router } from 'express'
import { GatewayError } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { templateNotFound } from '../../payments/refusals.ts'
import { wireTime } from '../../presentation/time.ts'
import { pickOnly, readMerchantId } from '../../requests/control/read.ts'
import { readPreview, readTemplateId, readWrittenTemplate } from '../../requests/control/templates.ts'
import { templateFailures } from '../../storage/log-events.ts'
import { allMerchants } from '../../storage/merchants.ts'
import { findRow } from '../../storage/rows.ts'
import { EVERYBODY, findTemplate, listTemplates, removeTemplate, type TemplateRow } from '../../storage/templates.ts'
import type { OpenWork } from '../../storage/work.ts'
import { saveTemplate } from '../../templates/keep.ts'
import { prepare } from '../../templates/prepare.ts'
import { TemplateError } from '../../templates/renderer.ts'
import type { Templates } from '../../templates/templates.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'

export interface TemplatesControlParts {
  readonly authenticator: Authenticator
  readonly templates: Templates
}

/** Of a template whose page nobody has asked for. */
const PREVIEWED = { locale: 'en', error: null, nonce: '' } as const

/** `/_control/templates`: the page templates of a merchant, the first one where merchant_id names none. */
export function templatesControl({ authenticator, templates }: TemplatesControlParts): Router {
  const router = Router()

  router.get('/', async (_request, response) => {
    const { queries, merchant } = await workOfMerchant(response, [])
    const rows = await listTemplates(queries, merchant.id)
    response.json(rows.map(presentTemplate))
  })

  router.post('/', async (_request, response) => save(response, undefined))

  router.post('/preview', async (_request, response) => {
    const { template, transactionId } = readPreview(exchangeOf(response).parameters)
    const work = await workOfMerchant(response)
    const shown = typeof template === 'number' ? await find(work, template) : { prepared: prepare(template.source) }
    const row = await findRow(work.queries, 'transactions', work.merchant.id, transactionId)
    if (transactionId !== undefined && !row) throw new GatewayError('errors.transaction.not_found')
    response.json(await look(work, shown, row))
  })

  router.get('/:id', async ({ params: { id } }, response) => {
    const row = await find(await workOfMerchant(response, []), readTemplateId(id))
    response.json({ ...presentTemplate(row), source: row.source })
  })

  router.put('/:id', async ({ params: { id } }, response) => save(response, readTemplateId(id)))

  router.delete('/:id', async ({ params: { id } }, response) => {
    const work = await workOfMerchant(response, [])
    const row = await find(work, readTemplateId(id))
    if (!(await removeTemplate(work.queries, work.merchant.id, row.id))) throw ofFile(row)
    response.json(presentTemplate(row))
  })

  router.get('/:id/problems', async ({ params: { id } }, response) => {
    const work = await workOfMerchant(response, [])
    const row = await find(work, readTemplateId(id))
    const { problems } = await look(work, row)
    const failures = await templateFailures(work.queries, work.merchant.id, row.id)
    response.json({
      problems,
      failures: failures.map(({ transaction_id, data, created_at }) => ({
        transaction_id,
        created_at: wireTime(created_at),
        reason: data.reason,
      })),
    })
  })

  async function save(response: Response, id: number | undefined) {
    const written = readWrittenTemplate(exchangeOf(response).parameters)
    const work = await workOfMerchant(response)
    const there = id === undefined ? undefined : await findTemplate(work.queries, work.merchant.id, id)
    if (there?.merchant_id === EVERYBODY) throw ofFile(there)
    const row = await work.write(({ queries, now }) => saveTemplate(queries, work.merchant.id, id, written, now))
    const { problems } = await look(work, row)
    response.json({ ...presentTemplate(row), problems })
  }

  /** What it would show, and what is wrong with it; of what cannot be shown at all, why. */
  async function look(
    work: OpenWork,
    template: Pick<TemplateRow, 'prepared'>,
    row?: Parameters<Templates['preview']>[2],
  ) {
    try {
      const { text, problems } = await templates.preview(work, template, row, PREVIEWED)
      return { html: text, problems }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      return { html: null, problems: [{ line: null, message: error.message }] }
    }
  }

  async function workOfMerchant(response: Response, names?: readonly string[]): Promise<OpenWork> {
    const { parameters, service } = exchangeOf(response)
    if (names) pickOnly(parameters, names)
    const id = readMerchantId(parameters) ?? (await allMerchants(service.database.db))[0]?.id
    const merchant: Merchant | undefined = id === undefined ? undefined : await authenticator.find(id)
    if (!merchant) throw new GatewayError('errors.merchant.not_found', { explain: 'There is no merchant yet' })
    return workOf(response, merchant)
  }

  return router
}

async function find({ queries, merchant }: OpenWork, id: number): Promise<TemplateRow> {
  const row = await findTemplate(queries, merchant.id, id)
  if (row) return row
  throw templateNotFound()
}

const ofFile = ({ id, name }: TemplateRow) =>
  new GatewayError('errors.request.bad_format', {
    explain: `Template ${id} stands in the file ${id}-${name}.liquid of the templates' folder: change it there`,
  })

const presentTemplate = ({ id, merchant_id, name, kind, created_at, updated_at }: TemplateRow) => ({
  id,
  name,
  kind,
  in_file: merchant_id === EVERYBODY,
  created_at: wireTime(created_at),
  updated_at: wireTime(updated_at),
})
