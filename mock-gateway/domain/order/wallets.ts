/**
 * The simulated wallets that the payment page offers in test mode (decision 101), by their names in
 * `wallet_type`.
 */
export const WALLETS = {
  apple_pay: { name: 'Apple Pay' },
  google_pay: { name: 'Google Pay' },
} as const

export type WalletType = keyof typeof WALLETS

export const WALLET_TYPES = Object.keys(WALLETS) as [WalletType, ...WalletType[]]

/** Returns a wallet's type by name; otherwise undefined. */
export const readWallet = (name: unknown): WalletType | undefined =>
  WALLET_TYPES.find((each) => each === name)

/** A card in every simulated wallet. */
export interface WalletCard {
  /** Name in the form. */
  readonly name: string
  readonly number: string
  /** Decides the simulated outcome; a real wallet sends none. */
  readonly cvv: string
  readonly outcome: 'outcome_approved' | 'outcome_declined'
}

export const WALLET_CARDS: readonly WalletCard[] = [
  { name: 'visa', number: '4111111111111111', cvv: '200', outcome: 'outcome_approved' },
  { name: 'mastercard', number: '5105105105105100', cvv: '200', outcome: 'outcome_approved' },
  { name: 'declined', number: '4012888888881881', cvv: '201', outcome: 'outcome_declined' },
]

/** Card holder of the wallet's cards. */
export const WALLET_HOLDER = 'Test Testsson'
