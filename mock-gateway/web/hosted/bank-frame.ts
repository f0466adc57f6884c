import type { Addresses } from '../../domain/addresses.ts'
import { asLocale } from '../../domain/language/languages.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import { hrefOf } from '../../serializers/transaction.ts'
import { exchangeOf } from '../http/exchange.ts'
import { hiddenFields, html } from '../pages/html.ts'
import { SELF } from '../pages/policy.ts'
import { challengeAddress } from './authentication.ts'
import type { HostedPage } from './page.ts'
import { type PagePlace, payerDocument } from './views/sheet.ts'
import type { PaymentVisit } from './visit.ts'

/*
 * Pages that an old app shows at the address of the order form (setting `form_in_place`). Android
 * SDK 1.0 reports an error for every address except the form's, and those with `status=approved` or
 * `status=declined` in them.
 */

/**
 * Returns the address for the links of a page in place, and the token for its forms.
 */
export const placeOf = ({ row }: PaymentVisit, addresses: Addresses): PagePlace => ({
  page: hrefOf(row, addresses),
  pageToken: row.href_token,
})

/**
 * Builds the page that shows the bank in a frame, so that the address of the app's web view stays.
 */
export const bankFramePage = (
  { response, row, merchant }: PaymentVisit,
  addresses: Addresses,
): HostedPage => ({
  of: { row, merchant },
  policy: { 'frame-src': [SELF] },
  view: (context) => {
    const { challenge } = context.text
    const address = redirectUrl(challengeAddress(row, addresses), {
      lang: asLocale(exchangeOf(response).parameters.lang),
    })
    return payerDocument(context, {
      title: `${challenge} – ${merchant.name}`,
      body: html`<iframe class="bank-frame" src="${address}" title="${challenge}"></iframe>`,
    })
  },
})

/** Builds the page that leads the payer out of the bank's frame. */
export const afterBankPage = ({ row, merchant }: PaymentVisit, { pay }: Addresses): HostedPage => ({
  of: { row, merchant },
  policy: { 'frame-ancestors': [SELF] },
  view: (context) => {
    const { locale, text } = context
    return payerDocument(context, {
      title: `${text.waiting} – ${merchant.name}`,
      body: html`<div class="sheet narrow">
<main>
<form method="post" action="${pay}/v1/form" target="_top" id="after-bank">
${hiddenFields({ action: 'after_bank', lang: locale, page_token: row.href_token })}
<button class="button">${text.continue_to} ${merchant.name}</button></form>
</main>
</div>`,
    })
  },
})
