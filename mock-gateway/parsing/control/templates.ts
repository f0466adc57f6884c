import { GatewayError } from '../../domain/errors/errors.ts'
import { LAST_ID, readId } from '../../domain/identifiers.ts'
import type { TemplateKind } from '../../storage/tables/templates.ts'
import { TEMPLATE_KINDS, TEMPLATE_NAME, type TemplateInput } from '../../templates/save.ts'
import { SOURCE_LENGTH } from '../../templates/source-length.ts'
import { integer, type Parameters, text } from '../parameters/parameters.ts'
import { badFormat, pickOnly, wholeNumber } from './read.ts'

/** @throws errors.request.bad_format (253) */
export function readTemplateInput(parameters: Parameters): TemplateInput {
  const sent = pickOnly(parameters, ['name', 'kind', 'source'])
  const {
    name = 'page',
    kind = 'page',
    source,
  } = { name: text(sent, 'name'), kind: text(sent, 'kind'), source: text(sent, 'source') }
  if (!TEMPLATE_NAME.test(name))
    throw badFormat('name must have 1 to 50 characters: A to Z, a to z, digits, _ or -.')
  if (!isKind(kind)) throw badFormat(`kind must be one of ${TEMPLATE_KINDS.join(', ')}.`)
  return { name, kind, source: readSource(source) }
}

/** A stored or an unsaved template, and the transaction that fills its preview. */
export interface TemplatePreview {
  readonly template: number | { readonly source: string }
  readonly transactionId: number | undefined
}

/** @throws errors.request.bad_format (253), errors.template.not_found (103) */
export function readPreview(parameters: Parameters): TemplatePreview {
  const sent = pickOnly(parameters, ['source', 'template_id', 'transaction_id'])
  const id = integer(sent, 'template_id', 'errors.template.not_found')
  const transactionId = wholeNumber(sent, 'transaction_id', {
    least: 1,
    most: Number.MAX_SAFE_INTEGER,
  })
  return { template: id ?? { source: readSource(text(sent, 'source')) }, transactionId }
}

/** @throws errors.template.not_found (103) */
export function readTemplateId(written: string | undefined): number {
  const id = written === undefined ? undefined : readId(written)
  if (id === undefined || id > LAST_ID)
    throw new GatewayError('errors.template.not_found', {
      explain: `The id of a template must be a whole number, at most ${LAST_ID}.`,
    })
  return id
}

const isKind = (text: string): text is TemplateKind =>
  (TEMPLATE_KINDS as readonly string[]).includes(text)

function readSource(source: string | undefined): string {
  if (source === undefined) throw badFormat('source is missing. Send the text of the template.')
  if (source.length > SOURCE_LENGTH)
    throw badFormat(`source may have at most ${SOURCE_LENGTH} characters.`)
  return source
}
