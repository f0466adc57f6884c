/** A simulated wallet on the payment page. */
interface Wallet {
  readonly name: string
  /** SVG of a 24 by 24 icon: our own drawing, since the wallets are simulated. */
  readonly mark: string
}

/** The simulated wallets that the payment page offers in test mode (decision 101), by their names. */
export const WALLETS = {
  apple_pay: {
    name: 'Apple Pay',
    mark: '<rect x="4" y="2.5" width="10" height="19" rx="2.5"/><path d="M8 18.5h2M17 9a5 5 0 0 1 0 6M19.5 6.5a9 9 0 0 1 0 11"/>',
  },
  google_pay: {
    name: 'Google Pay',
    mark: '<path d="M18.5 8V5.5a1.5 1.5 0 0 0-1.5-1.5H5a2 2 0 0 0 0 4h14a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5H5a2 2 0 0 1-2-2V6M16 14h1"/>',
  },
} as const satisfies Readonly<Record<string, Wallet>>

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
