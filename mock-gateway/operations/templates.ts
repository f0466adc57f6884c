import { z } from 'zod'
import { badFormat, GatewayError } from '../domain/errors/errors.ts'
import { LAST_ID } from '../domain/identifiers.ts'
import { formatWireTime } from '../serializers/time.ts'
import { findRow } from '../storage/rows.ts'
import type { TemplateRow } from '../storage/tables/templates.ts'
import { EVERYBODY, listTemplates } from '../storage/templates.ts'
import {
  deleteTemplate,
  findFailures,
  needTemplate,
  putTemplate,
  templateNotFound,
} from '../templates/administer.ts'
import { SOURCE_LENGTH, TEMPLATE_KINDS, TEMPLATE_NAME } from '../templates/save.ts'
import { operation, type Subject } from './operation.ts'
import { defineId, idInPath, pickFields, time } from './shapes.ts'

const kind = z.enum(TEMPLATE_KINDS).meta({ id: 'TemplateKind' })

const template = z.object({
  id: z.int(),
  name: z.string(),
  kind,
  in_file: z.boolean().describe('true: the template is a file. Change it there.'),
  created_at: time,
  updated_at: time,
})
const shown = template.meta({ id: 'Template' })

const problems = z
  .array(z.object({ line: z.int().nullable(), message: z.string() }))
  .meta({ id: 'Problems' })

const saved = template.extend({ problems })

const presentTemplate = (row: TemplateRow) =>
  pickFields(template, {
    ...row,
    in_file: row.merchant_id === EVERYBODY,
    created_at: formatWireTime(row.created_at),
    updated_at: formatWireTime(row.updated_at),
  })

const source = z.string().max(SOURCE_LENGTH).describe('Source of the template, in Liquid.')

const written = {
  name: z.string().regex(TEMPLATE_NAME).default('page').meta({
    description: 'English letters, digits, _ and -. Other templates include it by this name.',
    says: 'a name of 1 to 50 characters: A to Z, a to z, digits, _ or -',
  }),
  kind: kind.default('page'),
  source,
}

/** The input of a new template. */
const templateInput = z.object(written)

/** An id in the address. Other texts are the id of no template (error 103). */
const own = { id: idInPath.id.transform((id) => (id > LAST_ID ? -1 : id)) }

const CREATE_TEMPLATE = operation({
  name: 'templates.create',
  route: 'POST /templates',
  does: 'Creates a page or mail template',
  whose: 'first',
  input: templateInput,
  output: saved,
  async run(sandbox, sent) {
    const { row, problems: found } = await putTemplate(
      sandbox.templates,
      sandbox.work(),
      undefined,
      sent,
    )
    return { ...presentTemplate(row), problems: found }
  },
})

const UPDATE_TEMPLATE = operation({
  name: 'templates.update',
  route: 'PUT /templates/:id',
  does: 'Changes a template',
  whose: 'first',
  input: z.object({ ...own, ...written }),
  output: saved,
  async run(sandbox, { id, ...sent }) {
    // A new template gets the next free id, or a free id of the address.
    if (id < 1) throw templateNotFound()
    const work = sandbox.work()
    const { row, problems: found } = await putTemplate(sandbox.templates, work, id, sent)
    return { ...presentTemplate(row), problems: found }
  },
})

export const TEMPLATES: Subject = {
  title: 'Templates',
  about: 'Page and mail templates.',
  operations: [
    operation({
      name: 'templates.list',
      route: 'GET /templates',
      does: 'Lists the page and mail templates that the merchant can use',
      whose: 'first',
      output: z.array(shown),
      async run(sandbox) {
        const { queries, merchant } = sandbox.work()
        return (await listTemplates(queries, merchant.id)).map(presentTemplate)
      },
    }),
    CREATE_TEMPLATE,
    operation({
      name: 'templates.preview',
      route: 'POST /templates/preview',
      does: 'Renders a template with a transaction, without saving it',
      whose: 'first',
      input: z.object({
        template_id: z.int().optional().meta({ minimum: 1 }),
        source: source.optional().describe('Source to render, instead of template_id.'),
        transaction_id: defineId('Id of the transaction on the page.'),
      }),
      output: z.object({
        html: z.string().nullable().describe('null if the template cannot be rendered.'),
        problems,
      }),
      async run(sandbox, { template_id, source: text, transaction_id }) {
        if (template_id === undefined && text === undefined)
          throw badFormat('source is missing. Send it, or template_id.')
        const work = sandbox.work()
        const previewed =
          template_id === undefined
            ? { kind: 'page' as const, source: text ?? '' }
            : await needTemplate(work, template_id)
        const row = await findRow(work.queries, 'transactions', work.merchant.id, transaction_id)
        if (transaction_id !== undefined && !row)
          throw new GatewayError('errors.transaction.not_found')
        return sandbox.templates.preview(work, previewed, row)
      },
    }),
    operation({
      name: 'templates.show',
      route: 'GET /templates/:id',
      does: 'Shows a template with its source',
      whose: 'first',
      input: z.object(own),
      output: template.extend({ source: z.string() }),
      async run(sandbox, { id }) {
        const row = await needTemplate(sandbox.work(), id)
        return { ...presentTemplate(row), source: row.source }
      },
    }),
    UPDATE_TEMPLATE,
    operation({
      name: 'templates.delete',
      route: 'DELETE /templates/:id',
      does: 'Deletes a template',
      whose: 'first',
      input: z.object(own),
      output: shown,
      run: async (sandbox, { id }) => presentTemplate(await deleteTemplate(sandbox.work(), id)),
    }),
    operation({
      name: 'templates.problems',
      route: 'GET /templates/:id/problems',
      does: "Lists the problems of a template, and its last 20 failures on payers' pages",
      whose: 'first',
      input: z.object(own),
      output: z.object({
        problems,
        failures: z.array(
          z.object({ transaction_id: z.int(), created_at: time, reason: z.unknown() }),
        ),
      }),
      async run(sandbox, { id }) {
        const work = sandbox.work()
        const row = await needTemplate(work, id)
        const { problems: found } = await sandbox.templates.preview(work, row, undefined)
        const failures = (await findFailures(work, row.id)).map(({ created_at, ...failure }) => ({
          ...failure,
          created_at: formatWireTime(created_at),
        }))
        return { problems: found, failures }
      },
    }),
  ],
}
