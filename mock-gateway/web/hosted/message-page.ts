import type { Request } from 'express'
import type { GatewayError } from '../../domain/errors/errors.ts'
import { html } from '../pages/html.ts'
import type { HostedPage } from './page.ts'
import { refusalText } from './texts.ts'
import { backLink, payerDocument, previousButton } from './views/sheet.ts'

/** Errors of a link that leads to no payment. */
const UNKNOWN: readonly string[] = ['errors.transaction.not_found', 'errors.not_found']

/**
 * Builds a page that is not about one payment, with a link back to the shop if the referrer is
 * known.
 */
export const messagePage = (refusal: GatewayError, request: Request): HostedPage => ({
  view: (context) => {
    const { locale, text, requestId } = context
    const { name } = refusal.entry
    const heading = UNKNOWN.includes(name) ? text.unknown_link : text.sorry
    return payerDocument(context, {
      title: `${text.error_prefix} ${heading}`,
      body: html`<div class="sheet narrow">
<main>
<h1>${heading}</h1>
<p class="note calm" role="alert" data-error="${name}">${refusalText(refusal, locale)}</p>
<p class="quiet">${text.sorry_hint}</p>
${backLink(context, findReferrer(request)) ?? previousButton(context)}
<p class="quiet small">${text.error_id} ${requestId}</p>
</main>
</div>`,
    })
  },
})

/** Returns the referrer on another host; null if the browser sends none. */
function findReferrer({ headers: { referer = '', host } }: Request): string | null {
  const url = URL.parse(referer)
  return url && /^https?:$/.test(url.protocol) && url.host !== host ? url.href : null
}
