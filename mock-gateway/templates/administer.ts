import { GatewayError } from '../domain/errors/errors.ts'
import { findTemplateFailures } from '../storage/log-events.ts'
import { deleteRows } from '../storage/rows.ts'
import type { TemplateRow } from '../storage/tables/templates.ts'
import { EVERYBODY, findTemplate } from '../storage/templates.ts'
import type { OpenWork } from '../work/work.ts'
import type { TemplateProblem } from './problems.ts'
import { prepareInput, saveTemplate, type TemplateInput } from './save.ts'
import type { Templates } from './templates.ts'

/**
 * Finds a template that the merchant can use.
 * @throws errors.template.not_found (103)
 */
export async function needTemplate(
  { queries, merchant }: OpenWork,
  id: number,
): Promise<TemplateRow> {
  const row = await findTemplate(queries, merchant.id, id)
  if (row) return row
  throw templateNotFound()
}

/**
 * Stores a template under its number or a new one, and checks it; the log has its problems too.
 * @throws errors.request.bad_format (253) for a template from a file
 */
export async function putTemplate(
  templates: Templates,
  work: OpenWork,
  id: number | undefined,
  written: TemplateInput,
): Promise<{ readonly row: TemplateRow; readonly problems: readonly TemplateProblem[] }> {
  const there =
    id === undefined ? undefined : await findTemplate(work.queries, work.merchant.id, id)
  if (there?.merchant_id === EVERYBODY) throw ofFile(there)
  const prepared = await prepareInput(written)
  const row = await work.write(({ queries, now }) =>
    saveTemplate(queries, work.merchant.id, id, prepared, now),
  )
  return { row, problems: await templates.checkTemplate(work.queries, row) }
}

/** @throws errors.template.not_found (103), errors.request.bad_format (253) for one of a file */
export async function deleteTemplate(work: OpenWork, id: number): Promise<TemplateRow> {
  const row = await needTemplate(work, id)
  const key = { merchant_id: work.merchant.id, id: row.id }
  const deleted = await work.write(({ queries }) => deleteRows(queries, 'templates', key))
  if (deleted.length > 0) return row
  throw ofFile(row)
}

/** Lists the merchant's payments that could not show the template, the latest first. */
export async function findFailures({ queries, merchant }: OpenWork, id: number) {
  const rows = await findTemplateFailures(queries, merchant.id, id)
  return rows.map(({ transaction_id, data, created_at }) => ({
    transaction_id,
    created_at,
    reason: data.reason,
  }))
}

/** @see the field template_id */
export const templateNotFound = () =>
  new GatewayError('errors.template.not_found', {
    explain: 'The merchant has no page template with this id.',
  })

const ofFile = ({ id, name }: TemplateRow) =>
  new GatewayError('errors.request.bad_format', {
    explain: `Template ${id} comes from the file ${id}-${name}.liquid in the folder of templates. Change it there.`,
  })
