import type { Collection, CollectionRequest, Parameter } from './collection.ts'
import { type Dialect, linesAfter, linesBefore } from './script.ts'

const DIALECT: Dialect = {
  before: `
const body = req.getBody() || []
const rows = Array.isArray(body) ? body : Object.entries(body).map(([name, value]) => ({ name, value }))
const field = (name) => (rows.find((row) => row.name === name && row.enabled !== false) || {}).value || ''
const value = (name) => String(bru.getVar(name) || bru.getCollectionVar(name) || '')
const keep = (name, text) => bru.setVar(name, text)`,
  after: `
const keep = (name, text) => bru.setVar(name, text)
const method = req.getMethod()
const path = req.getUrl().split('?')[0]
const made = res.getBody()`,
}

/** The collection as Bruno exports one, and imports it as a Bruno Collection (schema of usebruno/bruno, version 1). */
export const brunoCollection = ({ name, description, variables, folders }: Collection) => ({
  version: '1',
  name,
  items: folders.map(({ name, description, requests }, index) => ({
    type: 'folder',
    name,
    seq: index + 1,
    root: { docs: description, meta: { name, seq: index + 1 } },
    items: requests.map(itemOf),
  })),
  environments: [],
  root: {
    docs: description,
    request: {
      auth: { mode: 'basic', basic: { username: '{{merchant_id}}', password: '{{password}}' } },
      script: { req: linesBefore(DIALECT).join('\n'), res: linesAfter(DIALECT).join('\n') },
      vars: { req: Object.entries(variables).map(variableOf) },
    },
  },
})

/** A variable needs an id of 21 letters and digits; the reader gives new ones to everything else. */
const variableOf = ([name, value]: readonly [string, string], index: number) => ({
  uid: `variable${String(index).padStart(13, '0')}`,
  name,
  value,
  enabled: true,
  local: false,
})

const itemOf = (
  { name, description, method, url, query, fields, hasLogin, leadsOn }: CollectionRequest,
  index: number,
) => ({
  type: 'http-request',
  // A file of this name is written.
  name: name.replaceAll('/', ' '),
  seq: index + 1,
  request: {
    url: urlOf(url, query),
    method,
    headers: [],
    params: query.map((parameter) => ({ ...rowOf(parameter), type: 'query' })),
    auth: { mode: hasLogin ? 'inherit' : 'none' },
    body: fields.length > 0 ? { mode: 'formUrlEncoded', formUrlEncoded: fields.map(rowOf) } : { mode: 'none' },
    docs: description,
  },
  ...(leadsOn ? { settings: { followRedirects: false } } : {}),
})

function urlOf(url: string, query: readonly Parameter[]): string {
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`)
  return sent.length > 0 ? `${url}?${sent.join('&')}` : url
}

const rowOf = ({ name, value, description, isSent }: Parameter) => ({ name, value, description, enabled: isSent })
