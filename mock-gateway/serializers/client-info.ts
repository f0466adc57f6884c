import Bowser from 'bowser'
import type { ClientInfo } from '../contract/wire.ts'
import { memoized } from '../domain/memoized.ts'
import type { ClientFacts } from '../storage/tables/transactions.ts'

type Browser = Pick<ClientInfo, 'browser' | 'version' | 'platform'>

/**
 * Describes the payer's browser by its user agent (specification: client_info). Unknown platforms
 * and languages are null (our decision), other unknown values are empty.
 */
export function presentClientInfo(client: ClientFacts): ClientInfo {
  return {
    raw_user_agent: client.user_agent,
    ...browserOf(client.user_agent),
    ip: client.ip,
    accept_language: client.accept_language || null,
  }
}

const browserOf = memoized(500, (userAgent): Browser => {
  if (userAgent === '') return { browser: '', version: '', platform: null }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: browser.name ?? '', version: browser.version ?? '', platform: os.name ?? null }
})
