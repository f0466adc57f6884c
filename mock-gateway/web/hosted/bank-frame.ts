import type { Addresses } from '../../domain/addresses.ts'
import { asLocale } from '../../domain/language/languages.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import { hrefOf } from '../../serializers/transaction.ts'
import { exchangeOf } from '../http/exchange.ts'
import { challengeAddress } from './authentication.ts'
import type { HostedPage } from './page.ts'
import type { PaymentVisit } from './visit.ts'

/*
 * Pages that an old app shows at the address of the order form (setting `form_in_place`). Android
 * SDK 1.0 reports an error for every address except the form's, and those with `status=approved` or
 * `status=declined` in them.
 */

/**
 * Returns the facts of every page in place: the page's own address for its links, and its token for
 * its forms.
 */
export const factsInPlace = ({ row }: PaymentVisit, addresses: Addresses) => ({
  page: hrefOf(row, addresses),
  page_token: row.href_token,
})

/**
 * Builds the page that shows the bank in a frame, so that the address of the app's web view stays.
 */
export const bankFramePage = (
  { response, row, merchant }: PaymentVisit,
  addresses: Addresses,
): HostedPage => ({
  view: 'bank-frame',
  of: { row, merchant },
  data: () => ({
    challenge: redirectUrl(challengeAddress(row, addresses), {
      lang: asLocale(exchangeOf(response).parameters.lang),
    }),
  }),
})

/** Builds the page that leads the payer out of the bank's frame. */
export const afterBankPage = ({ row, merchant }: PaymentVisit, { pay }: Addresses): HostedPage => ({
  view: 'after-bank',
  of: { row, merchant },
  data: () => ({ form: `${pay}/v1/form`, page_token: row.href_token }),
})
