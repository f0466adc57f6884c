import { readId } from '../../../domain/identifiers.ts'
import { readIdInPath } from '../../../operations/read-input.ts'
import { text } from '../../../parsing/parameters/parameters.ts'
import { findNewest } from '../../../storage/newest.ts'
import { findRow } from '../../../storage/rows.ts'
import type { TemplateRow } from '../../../storage/tables/templates.ts'
import { needTemplate } from '../../../templates/administer.ts'
import type { TemplatePreview } from '../../../templates/preview.ts'
import { SOURCE_LENGTH, TEMPLATE_KINDS } from '../../../templates/save.ts'
import { workOf } from '../../http/exchange.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import { LOOK_OF_MERCHANT, SELF } from '../../pages/policy.ts'
import { type ForeignPage, type MerchantVisit, noRow } from '../visit.ts'
import { STARTERS, type Starter } from './starters.ts'

/** @throws errors.template.not_found (103) */
export const ownTemplate = ({ response, named }: MerchantVisit): Promise<TemplateRow> =>
  needTemplate(workOf(response), readIdInPath(named.id ?? ''))

/** Returns the starter in the address, or an empty one. */
export function starterIn({ parameters }: MerchantVisit): Starter {
  const name = text<string>(parameters, 'starter') ?? ''
  return (Object.hasOwn(STARTERS, name) && STARTERS[name]) || EMPTY_PAGE
}

const EMPTY_PAGE: Starter = { title: '', kind: 'page', source: '' }

/**
 * Renders a template with or without a transaction, in a sandbox: it runs no scripts and sends
 * nothing. Its images and styles are loaded as for payers.
 */
export async function preview(visit: MerchantVisit): Promise<ForeignPage> {
  const { merchant, parameters, dependencies, response } = visit
  const work = workOf(response)
  const template = await ownTemplate(visit)
  const id = text(parameters, 'transaction_id')
  const named =
    id === undefined
      ? undefined
      : await findRow(work.queries, 'transactions', merchant.id, readId(id))
  if (id !== undefined && !named) throw noRow('transaction', id)
  const framed = parameters.frame !== undefined
  const row = named ?? (framed ? await newestOf(visit) : undefined)
  const look = await dependencies.templates.preview(work, template, row)
  return sheetOf(look, framed)
}

/** The preview of a page uses the newest transaction. */
const newestOf = ({ merchant, dependencies }: MerchantVisit) =>
  findNewest(dependencies.database.db, 'transactions', merchant.id)

/** Renders a starter, or the form's text before it is stored. */
export async function lookAtSource(
  visit: MerchantVisit,
  written: { readonly kind: string; readonly source: string },
): Promise<ForeignPage> {
  const { source } = written
  const kind = TEMPLATE_KINDS.find((each) => each === written.kind) ?? 'page'
  if (source.length > SOURCE_LENGTH)
    return sheetOf(
      {
        html: null,
        problems: [{ line: 1, message: `The source has more than ${SOURCE_LENGTH} characters` }],
      },
      true,
    )
  const { templates } = visit.dependencies
  const newest = await newestOf(visit)
  const look = await templates.preview(workOf(visit.response), { kind, source }, newest)
  return sheetOf(look, true)
}

/**
 * Puts a page in a sandbox, where it runs no scripts and sends nothing. @param framed only pages of
 * the console may frame it
 */
function sheetOf({ html: look, problems }: TemplatePreview, framed: boolean): ForeignPage {
  return {
    html: look ?? String(noLook(problems)),
    policy: { ...LOOK_OF_MERCHANT, ...(framed && { 'frame-ancestors': [SELF] }), sandbox: true },
  }
}

/** Shows why a page cannot be rendered. */
const noLook = (problems: TemplatePreview['problems']): SafeHtml => html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>No preview</title></head>
<body>
<p>The template cannot be shown:</p>
<ul>${problems.map(({ line, message }) => html`<li>Line ${line}: ${message}</li>`)}</ul>
</body>
</html>
`
