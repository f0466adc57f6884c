import type { Field } from './sent-fields.ts'

/** A request that somebody may want to make again. */
export interface Call {
  readonly method: string
  /** The whole address, without a query. */
  readonly url: string
  readonly fields: readonly Field[]
  /** Who logs in, where somebody did; the password is for the reader to fill in. */
  readonly merchantId: number | undefined
}

/** The request in each language, to be pasted. */
export const snippetsOf = (call: Call): readonly { readonly language: string; readonly text: string }[] => [
  { language: 'curl', text: curl(call) },
  { language: 'PHP', text: php(call) },
  { language: 'JavaScript', text: javaScript(call) },
]

export const isInQuery = ({ method }: Pick<Call, 'method'>) => method === 'GET' || method === 'DELETE'

/** The address, with the fields where the method has no body. */
function addressOf(call: Call): string {
  const query = String(new URLSearchParams(call.fields.map(([name, value]) => [name, value])))
  return isInQuery(call) && query !== '' ? `${call.url}?${query}` : call.url
}

/** In a shell nothing but the quote itself means anything between single quotes. */
const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function curl(call: Call): string {
  const fields = isInQuery(call)
    ? []
    : call.fields.map(([name, value]) => `--data-urlencode ${shell(`${name}=${value}`)}`)
  const login = call.merchantId === undefined ? [] : [`-u ${call.merchantId}:PASSWORD`]
  return [`curl -X ${call.method} ${shell(addressOf(call))}`, ...login, ...fields].join(' \\\n  ')
}

/** Between single quotes PHP reads these two only. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function php(call: Call): string {
  const fields = call.fields.map(([name, value]) => `  ${quoted(name)} => ${quoted(value)},`)
  return [
    `$call = curl_init(${quoted(addressOf(call))});`,
    `curl_setopt($call, CURLOPT_CUSTOMREQUEST, ${quoted(call.method)});`,
    'curl_setopt($call, CURLOPT_RETURNTRANSFER, true);',
    ...(call.merchantId === undefined ? [] : [`curl_setopt($call, CURLOPT_USERPWD, '${call.merchantId}:PASSWORD');`]),
    ...(isInQuery(call) ? [] : ['curl_setopt($call, CURLOPT_POSTFIELDS, http_build_query([', ...fields, ']));']),
    'echo curl_exec($call);',
  ].join('\n')
}

function javaScript(call: Call): string {
  const fields = call.fields.map(([name, value]) => `    [${JSON.stringify(name)}, ${JSON.stringify(value)}],`)
  return [
    `const answer = await fetch(${JSON.stringify(addressOf(call))}, {`,
    `  method: ${JSON.stringify(call.method)},`,
    ...(call.merchantId === undefined
      ? []
      : [`  headers: { authorization: 'Basic ' + btoa('${call.merchantId}:PASSWORD') },`]),
    ...(isInQuery(call) ? [] : ['  body: new URLSearchParams([', ...fields, '  ]),']),
    '})',
    'console.log(await answer.json())',
  ].join('\n')
}
