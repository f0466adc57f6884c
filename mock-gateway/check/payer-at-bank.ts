import type { Frame, Page } from 'playwright-core'
import type { BankPage } from './payer.ts'
import { poll } from './time.ts'

/**
 * A payer at the simulated bank of 3-D Secure: in the page, a frame or a window, and for every kind
 * of challenge (a code, an app, a choice).
 */
export interface Bank {
  /** Answers correctly: the payment continues. */
  approve(): Promise<void>
  /** Gives the answer that the bank declines immediately. */
  fail(): Promise<void>
  /** Presses the bank's cancel button. */
  leave(): Promise<void>
}

const TIMEOUT = 10_000

/** Milliseconds for a click on a link that may disappear. */
const CLICK_TIMEOUT = 1_000

/**
 * Finds the simulated bank that a page opened, and answers as the payer.
 * @throws Error if no bank opens
 * @example
 * import { createBank } from 'mondido-gateway/testing/playwright'
 *
 * await page.getByRole('button', { name: 'Pay' }).click()
 * await createBank(page).approve()
 */
export function createBank(page: Page): Bank {
  return {
    approve: async () => answer(await findBank(page), 'right'),
    fail: async () => answer(await findBank(page), 'N'),
    async leave() {
      await (await findBank(page)).getByTestId('bank-cancel').click()
    },
  }
}

/** Answers so that it gives this; in an app the steps before it too. */
async function answer(bank: Frame, wanted: 'right' | 'N'): Promise<void> {
  const { request } = bank.page().context()
  const asks = async (): Promise<BankPage> =>
    (await request.get(bank.url(), { headers: { accept: 'application/json' } })).json()
  const { answers } = await asks()
  const names = answers.filter(({ gives }) => gives === wanted).map(({ name }) => name)
  const [first = ''] = names
  const confirm = () => bank.getByTestId('bank-confirm').click()
  const elsewhere = async (name: string) =>
    void (await request.post(bank.url(), { form: { action: 'app', answer: name } }))
  if ((await bank.getByTestId('bank-code').count()) > 0) {
    await bank.getByTestId('bank-code').fill(first)
    await confirm()
  } else if ((await bank.getByTestId('bank-confirm').count()) > 0) {
    for (const name of names) await bank.getByTestId(`bank-answer-${name}`).check()
    await confirm()
  } else {
    await elsewhere(first || (answers[0]?.name ?? ''))
    if (!first) return answer(bank, wanted)
    // A page with a script continues automatically, so the link may be gone. Opening the address
    // instead could interrupt the page while it sends the bank's answer, which counts only once.
    const goOn = bank.getByTestId('bank-go-on')
    if ((await goOn.count()) > 0)
      await goOn.click({ timeout: CLICK_TIMEOUT, noWaitAfter: true }).catch(() => undefined)
  }
}

async function findBank(page: Page): Promise<Frame> {
  const found = await poll(async () => {
    const pages = page.context().pages()
    for (const frame of pages.flatMap((each) => each.frames()))
      if (await hasBank(frame)) return frame
    return undefined
  }, TIMEOUT)
  if (found) return found
  throw new Error(`No page of the bank opened within ${TIMEOUT} ms; the page is ${page.url()}.`)
}

/** A frame can disappear while it is read. */
const hasBank = async (frame: Frame): Promise<boolean> =>
  /\/v1\/acs\//.test(frame.url()) &&
  (await frame
    .locator('main[data-question]')
    .count()
    .catch(() => 0)) > 0
