import { isNested, type JsonObject, type JsonValue } from '../../../domain/json.ts'
import { NOT_KEPT } from '../../http/request-contents.ts'
import { LANGUAGES, type SampleCall, shell } from '../../pages/call-samples.ts'

export interface SnippetCall {
  readonly method: string
  /** The complete address, without a query. */
  readonly url: string
  readonly fields: readonly Field[]
  /** The merchant that logged in, if any; the reader fills in the password. */
  readonly merchantId: number | undefined
}

export function writeSnippets(call: SnippetCall) {
  const { method, merchantId, fields } = call
  const sample: SampleCall = {
    ...{ method, url: getAddress(call) },
    login: merchantId === undefined ? undefined : { user: `${merchantId}`, password: 'PASSWORD' },
    fields: isInQuery(call) ? {} : Object.fromEntries(fields),
  }
  return [
    { language: 'curl', text: curl(call) },
    ...LANGUAGES.map(({ name, write }) => ({ language: name, text: write(sample) })),
  ]
}

export const isInQuery = ({ method }: Pick<SnippetCall, 'method'>) =>
  method === 'GET' || method === 'DELETE'

/** Builds the address, with the fields in the query for methods without a body. */
function getAddress(call: SnippetCall): string {
  const query = String(new URLSearchParams(call.fields.map(([name, value]) => [name, value])))
  return isInQuery(call) && query !== '' ? `${call.url}?${query}` : call.url
}

function curl(call: SnippetCall): string {
  const fields = isInQuery(call)
    ? []
    : call.fields.map(([name, value]) => `--data-urlencode ${shell(`${name}=${value}`)}`)
  const login = call.merchantId === undefined ? [] : [`-u ${call.merchantId}:PASSWORD`]
  return [`curl -X ${call.method} ${shell(getAddress(call))}`, ...login, ...fields].join(' \\\n  ')
}

/** A parameter with its name in a form, such as `metadata[a]`. */
export type Field = readonly [name: string, value: string]

export const listFields = (sent: JsonObject): Field[] =>
  Object.entries(sent).flatMap(([name, value]) => nested(name, value))

function nested(name: string, value: JsonValue): Field[] {
  if (!isNested(value)) return [[name, value === null ? '' : String(value)]]
  if (Array.isArray(value)) return value.flatMap((item, index) => nested(`${name}[${index}]`, item))
  return Object.entries(value).flatMap(([key, member]) => nested(`${name}[${key}]`, member))
}

/** Placeholders for the reader to replace. */
const TO_FILL_IN: Readonly<Record<string, string>> = { card_number: 'CARD_NUMBER', card_cvv: 'CVV' }

/** Returns the fields that can be sent again, without encrypted and unstored values. */
export const fieldsToSend = (sent: JsonObject): Field[] =>
  listFields(sent).flatMap(([name, value]): Field[] =>
    name === 'encrypted' || value === '(encrypted)' || value === NOT_KEPT
      ? []
      : [[name, TO_FILL_IN[name] ?? value]],
  )
