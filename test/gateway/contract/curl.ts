import { hash } from 'node:crypto'
import type { Answer, Client } from '../../helpers/gateway.ts'

/**
 * Splits a command line into words like a shell: at blanks, except within quotes and after `\'`.
 */
function wordsOf(command: string): string[] {
  const joined = command.replace(/\\\n\s*/g, '')
  return [...joined.matchAll(/(?:'[^']*'|"[^"]*"|\\'|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"([^"]*)"|\\(')/g,
      (_whole, plain = '', quoted = '', escaped = '') => plain + quoted + escaped,
    ),
  )
}

/**
 * Runs a command of a page or a document: a single curl, or a curl whose answer is stored as PAGE
 * for the next command.
 * @param client client without a login
 */
export async function paste(command: string, client: Client): Promise<Answer<unknown>> {
  const [, first, then] = /^PAGE=\$\((curl .*)\)(?:; |\n)(curl .*)$/s.exec(command) ?? []
  if (first === undefined || then === undefined) return curl(withHash(command), client)
  const { body } = await curl(first, client)
  const page = typeof body === 'string' ? body : JSON.stringify(body)
  return curl(
    then.replace(/\$\(expr "\$PAGE" : '([^']*)'\)/g, (_whole, pattern) => groupOf(pattern, page)),
    client,
  )
}

/** Replaces a call of md5sum in a command by the hash, like the shell. */
const withHash = (command: string): string =>
  command.replace(/\$\(printf '([^']*)' \| md5sum \| cut -d' ' -f1\)/, (_whole, text) =>
    hash('md5', text),
  )

/**
 * Returns the group that a basic regular expression finds. In such expressions, escaped brackets
 * form a group.
 */
const groupOf = (pattern: string, text: string): string =>
  new RegExp(
    `^${pattern.replaceAll('{', '\\{').replaceAll('\\(', '(').replaceAll('\\)', ')')}`,
    's',
  ).exec(text)?.[1] ?? ''

/** Sends the request of a curl command. */
function curl(command: string, client: Client): Promise<Answer<unknown>> {
  const [program, ...words] = wordsOf(command)
  if (program !== 'curl') throw new TypeError(`No curl: ${command}`)
  const options: [name: string, value: string][] = []
  let url = ''
  while (words.length > 0) {
    const word = words.shift() ?? ''
    if (word === '-g' || word === '-s') continue
    if (word.startsWith('-')) options.push([word, words.shift() ?? ''])
    else url = word
  }
  const sent = (name: string) =>
    options.filter(([option]) => option === name).map(([, value]) => value)
  const body = new URLSearchParams(
    [...sent('--data-urlencode'), ...sent('-d')].map((field) => splitOnce(field, '=')),
  )
  const [user] = sent('-u')
  const [method = body.size > 0 ? 'POST' : 'GET'] = sent('-X')
  const headers: Record<string, string> = {
    ...Object.fromEntries(sent('-H').map((header) => splitOnce(header, ': '))),
    ...(user === undefined ? {} : { authorization: `Basic ${btoa(user)}` }),
  }
  const { pathname, search } = new URL(url)
  return client.send(method, pathname + search, body.size > 0 ? String(body) : null, headers)
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return [text.slice(0, at), text.slice(at + mark.length)]
}
