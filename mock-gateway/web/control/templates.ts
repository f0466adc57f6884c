import { type Response, Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { pickOnly } from '../../parsing/control/read.ts'
import { readPreview, readTemplateId, readTemplateInput } from '../../parsing/control/templates.ts'
import { wireTime } from '../../serializers/time.ts'
import { findRow } from '../../storage/rows.ts'
import type { TemplateRow } from '../../storage/tables/templates.ts'
import { EVERYBODY, listTemplates } from '../../storage/templates.ts'
import {
  deleteTemplate,
  failuresOf,
  needTemplate,
  previewTemplate,
  putTemplate,
} from '../../templates/administer.ts'
import { prepare } from '../../templates/prepare.ts'
import type { Templates } from '../../templates/templates.ts'
import type { OpenWork } from '../../work/work.ts'
import { exchangeOf } from '../http/exchange.ts'
import { workOfOwner } from './owner.ts'

export interface TemplatesControlDependencies {
  readonly authenticator: Authenticator
  readonly templates: Templates
}

/** Serves `/_control/templates`: the page templates of a merchant, by default the first one. */
export function templatesControl({
  authenticator,
  templates,
}: TemplatesControlDependencies): Router {
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
    const shown =
      typeof template === 'number'
        ? await needTemplate(work, template)
        : { kind: 'page' as const, prepared: prepare(template.source) }
    const row = await findRow(work.queries, 'transactions', work.merchant.id, transactionId)
    if (transactionId !== undefined && !row) throw new GatewayError('errors.transaction.not_found')
    response.json(await previewTemplate(templates, work, shown, row))
  })

  router.get('/:id', async ({ params: { id } }, response) => {
    const row = await needTemplate(await workOfMerchant(response, []), readTemplateId(id))
    response.json({ ...presentTemplate(row), source: row.source })
  })

  router.put('/:id', async ({ params: { id } }, response) => save(response, readTemplateId(id)))

  router.delete('/:id', async ({ params: { id } }, response) => {
    response.json(
      presentTemplate(await deleteTemplate(await workOfMerchant(response, []), readTemplateId(id))),
    )
  })

  router.get('/:id/problems', async ({ params: { id } }, response) => {
    const work = await workOfMerchant(response, [])
    const row = await needTemplate(work, readTemplateId(id))
    const { problems } = await previewTemplate(templates, work, row)
    const failures = await failuresOf(work, row.id)
    response.json({
      problems,
      failures: failures.map((failure) => ({
        ...failure,
        created_at: wireTime(failure.created_at),
      })),
    })
  })

  async function save(response: Response, id: number | undefined) {
    const written = readTemplateInput(exchangeOf(response).parameters)
    const work = await workOfMerchant(response)
    const { row, problems } = await putTemplate(templates, work, id, written)
    response.json({ ...presentTemplate(row), problems })
  }

  function workOfMerchant(response: Response, names?: readonly string[]): Promise<OpenWork> {
    if (names) pickOnly(exchangeOf(response).parameters, names)
    return workOfOwner(response, authenticator)
  }

  return router
}

const presentTemplate = ({ id, merchant_id, name, kind, created_at, updated_at }: TemplateRow) => ({
  id,
  name,
  kind,
  in_file: merchant_id === EVERYBODY,
  created_at: wireTime(created_at),
  updated_at: wireTime(updated_at),
})
