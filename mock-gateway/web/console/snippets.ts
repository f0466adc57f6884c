import { LANGUAGES, type SampleCall } from '../pages/call-samples.ts'
import type { Field } from './sent-fields.ts'

/** A request that somebody may want to make again. */
export interface SnippetCall {
  readonly method: string
  /** The whole address, without a query. */
  readonly url: string
  readonly fields: readonly Field[]
  /** Who logs in, where somebody did; the password is for the reader to fill in. */
  readonly merchantId: number | undefined
}

/** The request in each language, to be pasted. */
export const snippetsOf = (
  call: SnippetCall,
): readonly { readonly language: string; readonly text: string }[] => [
  { language: 'curl', text: curl(call) },
  ...LANGUAGES.map(({ name, write }) => ({ language: name, text: write(sampleOf(call)) })),
]

const sampleOf = (call: SnippetCall): SampleCall => ({
  method: call.method,
  url: addressOf(call),
  login:
    call.merchantId === undefined
      ? undefined
      : { user: String(call.merchantId), password: 'PASSWORD' },
  fields: isInQuery(call) ? {} : Object.fromEntries(call.fields),
})

export const isInQuery = ({ method }: Pick<SnippetCall, 'method'>) =>
  method === 'GET' || method === 'DELETE'

/** The address, with the fields where the method has no body. */
function addressOf(call: SnippetCall): string {
  const query = String(new URLSearchParams(call.fields.map(([name, value]) => [name, value])))
  return isInQuery(call) && query !== '' ? `${call.url}?${query}` : call.url
}

/** In a shell nothing but the quote itself means anything between single quotes. */
const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function curl(call: SnippetCall): string {
  const fields = isInQuery(call)
    ? []
    : call.fields.map(([name, value]) => `--data-urlencode ${shell(`${name}=${value}`)}`)
  const login = call.merchantId === undefined ? [] : [`-u ${call.merchantId}:PASSWORD`]
  return [`curl -X ${call.method} ${shell(addressOf(call))}`, ...login, ...fields].join(' \\\n  ')
}
