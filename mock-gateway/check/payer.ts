import { CheckError, ShopFault } from './errors.ts'
import type { PayerCard } from './purchase.ts'
import { followRedirects, request } from './shop-calls.ts'

/** Test cards by the bank's answer: approved, declined, or a challenge. */
export const CARDS: Readonly<
  Record<PayerCard, { readonly card_number: string; readonly card_cvv: string }>
> = {
  approved: { card_number: '4111111111111111', card_cvv: '200' },
  declined: { card_number: '4111111111111111', card_cvv: '201' },
  challenged: { card_number: '4000000000001091', card_cvv: '200' },
}

/** Expiry of every card: long after the clock is moved. */
export const EXPIRY = '1240'

export const HOLDER = 'Kim Berg'

type BankAnswer = 'right' | 'cancel'

/** A payer of the check. */
export interface Payer {
  /**
   * Fills in the payment page in its present state.
   * @returns the shop's address, the bank's page, or the page itself
   */
  pay(page: string, card: PayerCard): Promise<string>
  /**
   * Answers at the bank.
   * @returns the address that the payer is redirected to
   */
  answerBank(bank: string, answer: BankAnswer): Promise<string>
  /**
   * Arrives at an address of the shop, and follows redirects.
   * @returns the status of the last answer, if it is known
   */
  visit(address: string): Promise<number | undefined>
}

/** Milliseconds for an answer of the gateway, also on a machine with much work. */
const GATEWAY_MS = 60_000

/** Creates a payer's browser without scripts, for pages of the gateway and the shop. */
export function createPayer(gatewayUrl: string, shopTimeout: number | undefined): Payer {
  const { origin } = new URL(gatewayUrl)
  /** Versions of payment pages as the payer's browser shows them. */
  const versions = new Map<string, string>()
  async function open(page: string): Promise<string> {
    const version = findVersion((await request(page, {}, GATEWAY_MS)).text)
    versions.set(page, version)
    return version
  }
  /** @returns the first address outside the gateway, or the page where its redirects end */
  async function leaveGateway(address: string, body: URLSearchParams): Promise<string> {
    const start = { url: new URL(address), init: { method: 'POST', body } }
    const isOutside = (url: URL) => url.origin !== origin
    const last = await followRedirects(start, GATEWAY_MS, { isOutside })
    const page = last?.url.href ?? address
    if (last?.answer && versions.has(page)) versions.set(page, findVersion(last.answer.text))
    return page
  }
  return {
    async pay(page, card) {
      const version = versions.get(page) ?? (await open(page))
      const fields = {
        version,
        payment_method: 'credit_card',
        card_holder: HOLDER,
        card_expiry: EXPIRY,
      }
      return leaveGateway(page, new URLSearchParams({ ...fields, ...CARDS[card] }))
    },
    /** Carries the bank's answer back to the gateway as the bank's page does. */
    async answerBank(bank, answer) {
      const ask = async (body: URLSearchParams | null) => {
        const init = {
          method: body ? 'POST' : 'GET',
          body,
          headers: { accept: 'application/json' },
        }
        return JSON.parse((await request(bank, init, GATEWAY_MS)).text) as BankPage
      }
      const { answers } = await ask(null)
      const code = answers.find(({ gives }) => gives === 'right')?.name ?? ''
      await ask(new URLSearchParams(answer === 'cancel' ? { action: 'cancel' } : { code }))
      const { return_url, cres } = await ask(null)
      if (return_url === undefined || cres === undefined)
        throw new CheckError('The bank did not answer.')
      return leaveGateway(return_url, new URLSearchParams({ cres }))
    },
    async visit(address) {
      const last = await followRedirects({ url: new URL(address), init: {} }, shopTimeout)
      if (last) return last.answer?.status
      throw new ShopFault('no answer', `The shop redirects endlessly at ${address}.`)
    },
  }
}

const findVersion = (page: string): string => /name="version" value="([^"]*)"/.exec(page)?.[1] ?? ''

/** The bank page's JSON for robots: see `docs/reference/test-cards.md`. */
export interface BankPage {
  readonly answers: readonly { readonly name: string; readonly gives: string }[]
  readonly return_url?: string
  readonly cres?: string
}
