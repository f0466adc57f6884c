import { existsSync } from 'node:fs'
import type { JsonObject } from '../../domain/json.ts'
import { pickHashedParts, requestHash } from '../../domain/order/hash.ts'
import { type Field, fieldsToSend, writeSnippets } from '../../web/console/requests/snippets.ts'
import { LANGUAGES, type Language } from '../../web/pages/call-samples.ts'
import { findLastRejection, type RejectedRequest } from '../last-rejection.ts'
import type { ToolContext } from '../mcp/tools.ts'
import { paint } from '../paint.ts'
import { getText, type RunVerb, UsageError } from './verb.ts'

/** `mondido-gateway explain`. */
export const run: RunVerb = async (given, { connect, show }) => {
  const language = findLanguage(getText(given, 'language'))
  const context = await connect()
  const { merchant } = context
  const last = await findLastRejection(context)
  if (!last) {
    show(null, [`No request of merchant ${merchant.id} was rejected.`])
    return 0
  }
  const { method, route, at, status, error, explain } = last
  const sample = language && (await writeSample(context, last, language))
  show({ ...last, ...(sample !== undefined && { sample }) }, [
    `${method} ${route ?? ''} at ${at}: ${paint('red', [status, error].filter(Boolean).join(' '))}`,
    ...(explain ? [explain] : []),
    ...(sample === undefined ? [] : ['', sample]),
  ])
  return 0
}

/** Returns the rejected request as a program, without any text of the explanation: it can quote the request. */
async function writeSample(
  { control, merchant, url }: ToolContext,
  { request_id, method, error }: RejectedRequest,
  { name, fence }: Language,
): Promise<string | undefined> {
  const { path, sent, headers } = await control.requests.show({ id: request_id })
  const fields = fieldsToSend((sent ?? {}) as JsonObject)
  const call = {
    method,
    url: url + path,
    fields: error === 'errors.hash.invalid' ? withRightHash(fields, merchant) : fields,
    merchantId: headers.authorization === undefined ? undefined : merchant.id,
  }
  const snippet = writeSnippets(call).find(({ language }) => language === name)
  return [...(fence === 'php' ? ['<?php'] : []), snippet?.text].join('\n')
}

/** Replaces the hash by the hash of the sent order, if the merchant's secret is known. */
function withRightHash(
  fields: readonly Field[],
  { id, secret }: ToolContext['merchant'],
): readonly Field[] {
  if (secret === '') return fields
  const hash = requestHash(pickHashedParts(id, Object.fromEntries(fields)), secret)
  return fields.map(([name, value]) => [name, name === 'hash' ? hash : value])
}

/** Files that show which language a shop is written in. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  php: ['composer.json', 'index.php'],
  ruby: ['Gemfile'],
  python: ['pyproject.toml', 'requirements.txt'],
  js: ['package.json'],
}

/**
 * Returns the language of a shop.
 * @param query name of the language; undefined: the language of the files in the folder
 * @throws UsageError
 */
function findLanguage(query: string | undefined): Language | undefined {
  const sign = Object.entries(SIGNS).find(([, files]) => files.some((file) => existsSync(file)))
  const wanted = query?.toLowerCase() ?? sign?.[0]
  const found = LANGUAGES.find(({ name, fence }) =>
    [name.toLowerCase(), fence].includes(wanted ?? ''),
  )
  if (query === undefined || found) return found
  const names = LANGUAGES.map(({ fence }) => fence).join(', ')
  throw new UsageError(`There are samples for ${names}, not for "${query}".`)
}
