import Bowser from 'bowser'
import type { ClientInfo } from '../contract/transaction.ts'
import type { ClientFacts } from '../storage/transactions.ts'

type Browser = Pick<ClientInfo, 'browser' | 'version' | 'platform'>

const known = new Map<string, Browser>()
const LIMIT = 500

/** The payer's browser, read from its user agent (specification: client_info). Empty where nothing is known. */
export function presentClientInfo(client: ClientFacts): ClientInfo {
  return {
    raw_user_agent: client.user_agent,
    ...browserOf(client.user_agent),
    ip: client.ip,
    accept_language: client.accept_language,
  }
}

function browserOf(userAgent: string): Browser {
  const remembered = known.get(userAgent)
  if (remembered) return remembered
  const browser = parse(userAgent)
  if (known.size >= LIMIT) known.clear()
  known.set(userAgent, browser)
  return browser
}

function parse(userAgent: string): Browser {
  if (userAgent === '') return { browser: '', version: '', platform: '' }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: browser.name ?? '', version: browser.version ?? '', platform: os.name ?? '' }
}
