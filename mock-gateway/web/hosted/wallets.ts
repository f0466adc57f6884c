import { brandOf } from '../../domain/card/card-types.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import {
  readWallet,
  WALLET_CARDS,
  WALLETS,
  type WalletCard,
  type WalletType,
} from '../../domain/order/wallets.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { writtenCard } from '../pages/written-card.ts'
import { TEXTS } from './texts.ts'
import type { PaymentVisit } from './visit.ts'

/**
 * Returns the wallets of a page: those of the merchant's setting, in test mode only (decision 101).
 */
const offeredWallets = ({ row, merchant }: PaymentVisit): readonly WalletType[] =>
  row.test ? merchant.settings.wallets : []

/**
 * Returns the wallet whose sheet is open: from the form or the address; undefined if it is not
 * offered.
 */
export function openWallet(visit: PaymentVisit, parameters: Parameters): WalletType | undefined {
  const wallet = readWallet(text(parameters, 'wallet_type') ?? text(parameters, 'payment.selected'))
  return offeredWallets(visit).find((each) => each === wallet)
}

/** Returns the simulated cards of a wallet that the merchant accepts. */
const cardsOf = ({ merchant }: PaymentVisit): readonly WalletCard[] =>
  WALLET_CARDS.filter(({ number }) =>
    merchant.settings.card_types.some((type) => type === brandOf(number)),
  )

/**
 * Returns the paying wallet and its card; undefined for the form of a card.
 * @throws errors.request.bad_format (253) for a wallet that the page does not offer
 */
export function payingWallet(
  visit: PaymentVisit,
  parameters: Parameters,
): (WalletCard & { type: WalletType }) | undefined {
  const [wallet, chosen] = [text(parameters, 'wallet_type'), text(parameters, 'wallet_card')]
  if (wallet === undefined) return undefined
  const type = openWallet(visit, parameters)
  const card = cardsOf(visit).find(({ name }) => name === chosen)
  if (type && card) return { type, ...card }
  throw new GatewayError('errors.request.bad_format', {
    explain:
      "The page does not offer this wallet, or this card in the wallet. See the merchant's setting wallets.",
  })
}

/** Returns the view data of wallets and their cards. @param open the one whose sheet is shown */
export function shownWallets(
  visit: PaymentVisit,
  takesCards: boolean,
  open: WalletType | undefined,
  locale: Locale,
) {
  const { page_test_helper } = visit.merchant.settings
  const texts = TEXTS[locale]
  return {
    wallets: (takesCards ? offeredWallets(visit) : []).map((type) => ({
      type,
      ...WALLETS[type],
    })),
    wallet: open ? { type: open, ...WALLETS[open] } : null,
    wallet_cards: cardsOf(visit).map(({ name, number, outcome }) => ({
      name,
      card: writtenCard(brandOf(number) ?? 'visa', number),
      outcome: page_test_helper ? texts[outcome] : '',
    })),
  }
}
