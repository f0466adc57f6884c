import type { Addresses } from '../../../domain/addresses.ts'
import { at, type Contract, type RequestBody } from '../contract.ts'
import type { ExampleMerchant } from '../curl.ts'
import type { DocsPage, ShownCall } from '../page.ts'

/** What an API client is handed; `{{name}}` in a text stands for a variable. */
export interface Collection {
  readonly name: string
  readonly description: string
  readonly variables: Readonly<Record<string, string>>
  readonly folders: readonly Folder[]
}

interface Folder {
  readonly name: string
  readonly description: string
  readonly requests: readonly CollectionRequest[]
}

export interface CollectionRequest {
  readonly name: string
  readonly description: string
  readonly method: string
  /** Without its query. */
  readonly url: string
  readonly query: readonly Parameter[]
  /** What is sent as a form. */
  readonly fields: readonly Parameter[]
  readonly hasLogin: boolean
  /** Whether it may lead the payer's browser elsewhere, which nobody wants to follow here. */
  readonly leadsOn: boolean
}

export interface Parameter {
  readonly name: string
  readonly value: string
  readonly description: string
  /** The others are there to be switched on. */
  readonly isSent: boolean
}

/** Of itself: documents. */
const LEFT_OUT = ['Contract']

/** What is deleted is deleted last, so that a run of all requests in turn finds everything else. */
const ENDINGS = { name: 'Deleting', description: 'Stands last, since other requests are about what is deleted here.' }

/**
 * The calls of the contract as a collection: one request for each call, or for each example of what is sent.
 * @param merchant undefined when its secrets are not for everybody: then words stand in their place
 */
export function collectionOf(
  contract: Contract,
  { groups, info }: DocsPage,
  { base, pay, cdn }: Addresses,
  merchant: ExampleMerchant | undefined,
): Collection {
  const folders = groups
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .map(({ name, description, calls }) => ({
      name,
      description,
      requests: calls.filter(canBeSent).flatMap((call) => requestsOf(contract, call)),
    }))
  const ends = ({ method }: CollectionRequest) => method === 'DELETE'
  const all = [
    ...folders.map((folder) => ({ ...folder, requests: folder.requests.filter((request) => !ends(request)) })),
    { ...ENDINGS, requests: folders.flatMap(({ requests }) => requests.filter(ends)).reverse() },
  ]
  const given = {
    base_url: base,
    pay_url: pay,
    cdn_url: cdn,
    merchant_id: String(merchant?.id ?? 'MERCHANT_ID'),
    password: merchant?.password ?? 'PASSWORD',
    secret: merchant?.secret ?? 'SECRET',
  }
  const used = [...JSON.stringify(all).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => [name, FIRST] as const)
  return {
    name: info.title,
    description: info.summary,
    variables: { ...Object.fromEntries(used), ...given },
    folders: all,
  }
}

/** Objects have this id until one is created; texts that a script makes before they are sent, too. */
const FIRST = '1'

/** A browser's own questions, and what needs a word that only the page of a payment tells, are left out. */
const canBeSent = ({ method, call }: ShownCall): boolean =>
  method !== 'OPTIONS' && !/\{(?:token|file)\}/.test(call.path) && !call.parameters.some(isOfPage)

const isOfPage = ({ name, required }: { readonly name: string; readonly required?: boolean }): boolean =>
  required === true && name === 'token'

function requestsOf(contract: Contract, shown: ShownCall): CollectionRequest[] {
  const { summary, description, method, call, rows, answers } = shown
  const parameters = (where: string, sent: Readonly<Record<string, unknown>>): Parameter[] =>
    rows
      .filter((row) => row.where === where)
      .map(({ name, description, required, examples }) => {
        const isSent = name in sent || (required && where === 'query')
        const value = name in sent ? textOf(sent[name]) : (examples[0] ?? '')
        return { name, description, isSent, value: isSent && isVariable(name) ? `{{${variableOf(name)}}}` : value }
      })
  return bodiesOf(contract, shown).map(({ title, fields }) => ({
    name: title ? `${summary}: ${title}` : summary,
    description,
    method,
    url: `{${call.servers[0]?.url}}${pathOf(call.path)}`,
    query: parameters('query', {}),
    fields: parameters('body', fields),
    // A form names its merchant instead of logging in.
    hasLogin: call.operation.security?.length !== 1 && !('merchant_id' in fields),
    leadsOn: answers.some(({ status }) => status === '303'),
  }))
}

interface Body {
  readonly title: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
}

/** Every example of what a call sends; of one that sends nothing, nothing. */
function bodiesOf(contract: Contract, { call }: ShownCall): Body[] {
  if (!call.operation.requestBody) return [{ title: undefined, fields: {} }]
  const body = at<RequestBody>(contract, `${call.pointer}/requestBody`)
  const [type = '', media] = Object.entries(body.value.content)[0] ?? []
  const names = Object.keys(media?.examples ?? {})
  const place = `${body.pointer}/content/${type.replaceAll('/', '~1')}/examples`
  return names.map((name) => {
    const { summary, value } = at<{ summary?: string; value: Body['fields'] }>(contract, `${place}/${name}`).value
    return { title: names.length > 1 ? (summary ?? name) : undefined, fields: value }
  })
}

/** Made or remembered by the scripts, or said once for all requests. */
const isVariable = (name: string): boolean =>
  ['payment_ref', 'hash', 'mpi_nonce'].includes(name) || name.endsWith('_id')

const variableOf = (name: string): string => (name === 'mpi_nonce' ? 'nonce' : name)

/** `/v1/plans/{id}` as `/v1/plans/{{plan_id}}`. */
const pathOf = (path: string): string =>
  path.replace('{id}', () => `{{${kindOf(path)}_id}}`).replace(/(?<!\{)\{(\w+)\}/g, '{{$1}}')

/** What a path is about, in the singular: `plan`. */
const kindOf = (path: string): string => /^\/v\d\/(\w+?)s?\//.exec(path)?.[1] ?? ''

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
