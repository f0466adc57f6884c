import type { BrowserContext, Frame, Page } from 'playwright-core'

/** A payment page in a payer's browser: in a window, or in a frame of the shop. */
export interface PaymentTab {
  readonly page: Page
  readonly frame: Frame
  /** The payer has pressed Pay. */
  isSent: boolean
  /** Address outside the gateway that the tab would open next. It is opened by a visit. */
  returnAddress: string | undefined
}

/** The payers' browsers of a check. */
export interface PaymentTabs {
  /** Creates a browser profile. The profile with the oldest use is closed if there are many. */
  createContext(): Promise<BrowserContext>
  /** Keeps the tab of a payment page. @param address default: the frame's */
  add(page: Page, frame: Frame, address?: string): PaymentTab
  /** Returns the tab that was added last with this payment page. */
  find(address: string): PaymentTab | undefined
}

/** Number of profiles that stay open: more than a case uses at the same time. */
const MOST_CONTEXTS = 32

/** @param create opens a profile */
export function createPaymentTabs(create: () => Promise<BrowserContext>): PaymentTabs {
  const contexts: BrowserContext[] = []
  const tabs = new Map<string, PaymentTab>()
  return {
    async createContext() {
      const context = await create()
      if (contexts.push(context) > MOST_CONTEXTS) await contexts.shift()?.close()
      return context
    },
    add(page, frame, address = frame.url()) {
      const tab: PaymentTab = { page, frame, isSent: false, returnAddress: undefined }
      tabs.set(address, tab)
      return tab
    },
    find: (address) => tabs.get(address),
  }
}
