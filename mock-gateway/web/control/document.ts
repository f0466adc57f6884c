import { z } from 'zod'
import type { Operation } from '../../operations/operation.ts'
import { listPathFields } from '../../operations/read-input.ts'
import { SUBJECTS } from '../../operations/table.ts'

type Json = Readonly<Record<string, unknown>>

/** Builds the OpenAPI document of the control API from the operations. */
export function createControlDocument(): object {
  const schemas: Record<string, unknown> = { Error: ERROR }
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { title, operations } of SUBJECTS)
    for (const operation of operations) {
      const [method = '', route = ''] = operation.route.split(' ')
      const path = route.replace(/:(\w+)/g, '{$1}')
      paths[path] = {
        ...paths[path],
        [method.toLowerCase()]: {
          operationId: operation.name,
          tags: [title],
          summary: operation.does,
          ...(operation.details && { description: operation.details }),
          ...describeInput(operation, schemas),
          responses: { '200': describeAnswer(operation, schemas), ...REFUSALS },
        },
      }
    }
  const tags = SUBJECTS.map(({ title: name, about: description }) => ({ name, description }))
  return { ...FRAME, tags, paths, components: { ...COMPONENTS, schemas } }
}

/** Converts a schema; named schemas become components. */
function describeSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: Record<string, unknown>,
) {
  const {
    $schema: _dialect,
    $defs,
    ...own
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      delete jsonSchema.id
      delete jsonSchema.says
    },
  }) as Json
  const moved = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('#/$defs/', REFS))
  for (const [name, each] of Object.entries($defs ?? {})) schemas[name] = moved(each)
  return moved(own)
}

const REFS = '#/components/schemas/'

function describeInput(operation: Operation, schemas: Record<string, unknown>): Json {
  // A copy without the name of its component, whose fields are parameters here.
  const input = z.object(operation.input.shape)
  const { properties = {}, required = [] } = describeSchema(input, 'input', schemas)
  const inPath = listPathFields(operation)
  const isRead = operation.route.startsWith('GET')
  const names = Object.keys(properties)
  const describeParameter = (name: string) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    ...(required.includes(name) && { required: true }),
    schema: properties[name],
  })
  const body = Object.fromEntries(
    Object.entries(properties).filter(([name]) => !inPath.includes(name)),
  )
  const needed = required.filter((name: string) => !inPath.includes(name))
  const schema = {
    type: 'object',
    properties: body,
    ...(needed.length > 0 && { required: needed }),
  }
  const parameters = [
    ...names.filter((name) => isRead || inPath.includes(name)).map(describeParameter),
    ...(operation.whose === 'none'
      ? []
      : [{ ...MERCHANT, ...(operation.whose === 'one' && { required: true }) }]),
  ]
  return {
    ...(parameters.length > 0 && { parameters }),
    ...(!isRead &&
      Object.keys(body).length > 0 && {
        requestBody: {
          ...(needed.length > 0 && { required: true }),
          content: {
            'application/x-www-form-urlencoded': { schema },
            'application/json': { schema },
          },
        },
      }),
  }
}

const describeAnswer = (
  { output, does, file }: Operation,
  schemas: Record<string, unknown>,
): Json => ({
  description: does,
  content: {
    'application/json': { schema: describeSchema(output, 'output', schemas) },
    ...(file && { [file]: { schema: { type: 'string' } } }),
  },
})

const MERCHANT = {
  name: 'merchant_id',
  in: 'query',
  description: 'Id of the merchant that the call applies to.',
  schema: { type: 'integer', minimum: 1 },
}

const ERROR = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'code', 'description'],
  properties: {
    name: { type: 'string', pattern: '^errors\\.' },
    code: { type: 'integer' },
    description: { type: 'string' },
  },
}

const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: `${REFS}Error` } } },
})

const RESPONSES = {
  Refused: refusal('Rejected; Mondido-Explain contains the reason'),
  NoKey: refusal('The control key is missing or wrong'),
  Locked: refusal('Locked: ten wrong keys in a row came from this address'),
  NothingThere: refusal('The object or the merchant does not exist'),
}

const REFUSALS = Object.fromEntries(
  [400, 401, 403, 404].map((status, index) => [
    status,
    { $ref: `#/components/responses/${Object.keys(RESPONSES)[index]}` },
  ]),
)

const COMPONENTS = {
  securitySchemes: {
    key: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Control-Key',
      description: 'The control key, which the gateway prints when it starts.',
    },
    administrator: {
      type: 'http',
      scheme: 'basic',
      description: 'The user admin, with the control key as password.',
    },
  },
  responses: RESPONSES,
}

const FRAME = {
  openapi: '3.1.0',
  info: {
    title: 'Payment gateway, control API',
    version: 'v1',
    summary:
      'Control of the sandbox: move the clock, force outcomes, inject faults, and read timelines. A real payment service has no such calls.',
    description:
      'Send parameters in the query, as a form or as a JSON body. An unknown or invalid parameter is rejected with error 253, and Mondido-Explain contains the correct request. `merchant_id` chooses the merchant. Without `merchant_id` a call applies to all merchants, except for payment links, templates and the sending of webhooks, which then belong to the first merchant.',
  },
  servers: [
    {
      url: '{base_url}/_control',
      description: 'Control API',
      variables: {
        base_url: { default: 'http://localhost:4400', description: 'Address of the gateway' },
      },
    },
  ],
  security: [{ key: [] }, { administrator: [] }],
}
