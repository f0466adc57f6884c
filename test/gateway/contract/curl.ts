import type { Answer, Client } from '../../helpers/gateway.ts'

/** Words of a command line, as a shell would see them: blanks separate, single quotes and `\'` hold together. */
function wordsOf(command: string): string[] {
  const joined = command.replace(/\\\n\s*/g, '')
  return [...joined.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|\\(')/g, (_whole, quoted = '', escaped = '') => quoted + escaped),
  )
}

/** Does what curl would do with a command of the page. */
export function paste(command: string, client: Client): Promise<Answer<unknown>> {
  const [program, ...words] = wordsOf(command)
  if (program !== 'curl') throw new TypeError(`No curl: ${command}`)
  const options: [name: string, value: string][] = []
  let url = ''
  while (words.length > 0) {
    const word = words.shift() ?? ''
    if (word === '-g') continue
    if (word.startsWith('-')) options.push([word, words.shift() ?? ''])
    else url = word
  }
  const sent = (name: string) => options.filter(([option]) => option === name).map(([, value]) => value)
  const body = new URLSearchParams([...sent('--data-urlencode'), ...sent('-d')].map((field) => splitOnce(field, '=')))
  const [user] = sent('-u')
  const [method = body.size > 0 ? 'POST' : 'GET'] = sent('-X')
  const headers = user === undefined ? { authorization: '' } : { authorization: `Basic ${btoa(user)}` }
  const { pathname, search } = new URL(url)
  return client.send(method, pathname + search, body.size > 0 ? String(body) : null, headers)
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at + 1)]
}
