import type { Frame, Page } from 'playwright-core'

/** What a payer does at the simulated bank of 3-D Secure, wherever it opened: in the page, a frame or a window. */
export interface Bank {
  /** Types the right code; the payment goes on. */
  approve(): Promise<void>
  /** Types the code by which the bank refuses at once. */
  fail(): Promise<void>
  /** Cancels at the bank. */
  leave(): Promise<void>
}

/** Right, and refused at once: see `docs/gateway.md`, 3-D Secure. */
const CODES = { right: '1234', refused: '0000' }

const TIMEOUT = 10_000

/** The bank of a page of Playwright. @throws Error when none opens */
export function bankOf(page: Page): Bank {
  const type = async (code: string) => {
    const bank = await findBank(page)
    await bank.getByTestId('bank-code').fill(code)
    await bank.getByTestId('bank-confirm').click()
  }
  return {
    approve: () => type(CODES.right),
    fail: () => type(CODES.refused),
    async leave() {
      await (await findBank(page)).getByTestId('bank-cancel').click()
    },
  }
}

async function findBank(page: Page): Promise<Frame> {
  const until = performance.now() + TIMEOUT
  while (performance.now() < until) {
    const frames = page
      .context()
      .pages()
      .flatMap((each) => each.frames())
    for (const frame of frames) if (await hasBank(frame)) return frame
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`No page of the bank opened within ${TIMEOUT} ms; the page is ${page.url()}.`)
}

/** A frame may go away while it is looked at. */
const hasBank = async (frame: Frame): Promise<boolean> =>
  /\/v1\/acs\//.test(frame.url()) &&
  (await frame
    .getByTestId('bank-code')
    .count()
    .catch(() => 0)) > 0
