import type { Collection, CollectionRequest, Parameter } from './collection.ts'
import { type Dialect, linesAfter, linesBefore } from './script.ts'

const DIALECT: Dialect = {
  before: `
const rows = pm.request.body && pm.request.body.urlencoded ? pm.request.body.urlencoded.all() : []
const field = (name) => (rows.find((row) => row.key === name && !row.disabled) || {}).value || ''
const value = (name) => String(pm.variables.get(name) || '')
const keep = (name, text) => pm.collectionVariables.set(name, text)`,
  after: `
const keep = (name, text) => pm.collectionVariables.set(name, text)
const method = pm.request.method
const path = pm.request.url.getPath()
let made
try { made = pm.response.json() } catch (notJson) {}`,
}

/** The collection as Postman has it (Postman Collection Format 2.1.0). */
export const postmanCollection = ({ name, description, variables, folders }: Collection) => ({
  info: { name, description, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  auth: basic(),
  event: [script('prerequest', linesBefore(DIALECT)), script('test', linesAfter(DIALECT))],
  variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: 'string' })),
  item: folders.map(({ name, description, requests }) => ({ name, description, item: requests.map(itemOf) })),
})

const basic = () => ({
  type: 'basic',
  basic: [
    { key: 'username', value: '{{merchant_id}}', type: 'string' },
    { key: 'password', value: '{{password}}', type: 'string' },
  ],
})

const script = (listen: string, exec: readonly string[]) => ({ listen, script: { type: 'text/javascript', exec } })

const itemOf = ({ name, description, method, url, query, fields, hasLogin, leadsOn }: CollectionRequest) => ({
  name,
  request: {
    method,
    description,
    header: [],
    ...(hasLogin ? {} : { auth: { type: 'noauth' } }),
    url: urlOf(url, query),
    ...(fields.length > 0 ? { body: { mode: 'urlencoded', urlencoded: fields.map(pairOf) } } : {}),
  },
  ...(leadsOn ? { protocolProfileBehavior: { followRedirects: false } } : {}),
})

/** `raw` is what people see, and what is sent is in `query`: what is switched off is in there only. */
function urlOf(url: string, query: readonly Parameter[]) {
  const [host = '', ...path] = url.split('/')
  const sent = query.filter(({ isSent }) => isSent).map(({ name, value }) => `${name}=${value}`)
  const raw = sent.length > 0 ? `${url}?${sent.join('&')}` : url
  return { raw, host: [host], path, query: query.map(pairOf) }
}

const pairOf = ({ name, value, description, isSent }: Parameter) => ({
  key: name,
  value,
  description,
  ...(isSent ? {} : { disabled: true }),
})
