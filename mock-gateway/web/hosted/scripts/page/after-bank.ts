import { byId } from './elements.ts'

/**
 * Leads the payer out of the bank's frame (setting `form_in_place`); without a script, a button
 * does.
 */
export const leaveBankFrame = (): void => byId('after-bank', HTMLFormElement)?.submit()
