import type { Item } from '../../contract/wire.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import {
  formatAmount,
  formatFigure,
  formatMoney,
  parseLooseAmount,
} from '../../domain/money/money.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { renderLanguageLinks } from '../pages/layout.ts'
import {
  type HostedContext,
  type HostedPage,
  type PageOwner,
  type PayerDocument,
  renderActionForm,
} from './page.ts'

/** A payment or payment link, with the merchant who gets the money. */
export interface MerchantOrder extends PageOwner {
  readonly row: PageOwner['row'] &
    Pick<TransactionRow, 'amount' | 'currency' | 'payment_ref' | 'test'> &
    Partial<Pick<TransactionRow, 'amount_text' | 'items' | 'vat_amount'>>
  /** Address of the payment's page; a payment link has no payment yet. */
  readonly href?: string
}

/** Values for rendering a page about an order. */
export interface OrderContext extends HostedContext {
  readonly order: ReturnType<typeof describeOrder>
}

function describeOrder(of: MerchantOrder, locale: Locale) {
  const { row, merchant, href } = of
  const { currency, items, vat_amount, payment_ref, test, amount_text = '' } = row
  const amount = row.amount ?? parseLooseAmount(amount_text)
  return {
    merchant: merchant.name,
    logo: merchant.settings.logo,
    // An amount that is not a number is unchanged.
    amount:
      amount === undefined
        ? `${amount_text} ${currency.toUpperCase()}`
        : formatMoney(amount, currency, locale),
    amount_value: row.amount === null ? amount_text : formatAmount(row.amount),
    payment_ref,
    items: items ?? [],
    currency,
    vat: vat_amount ? formatMoney(vat_amount, currency, locale) : null,
    test,
    /** Address of the payment's story; null if the payer is not a tester. */
    story: href && isTester(of) ? `${href}/story` : null,
  }
}

/** Returns true if the payer tests a shop, and may see how the gateway works. */
export const isTester = ({ row, merchant }: MerchantOrder): boolean =>
  row.test && merchant.settings.page_test_helper

/** Builds a page about an order, which its header shows. */
export const renderOrderPage = (
  of: MerchantOrder,
  view: (context: OrderContext) => Omit<PayerDocument, 'header'>,
): HostedPage => ({
  of,
  view(plain) {
    const context = { ...plain, order: describeOrder(of, plain.locale) }
    const document = view(context)
    const header = document.isWide ? renderOrderSection(context) : renderOrderHeader(context)
    return { ...document, header }
  },
})

/** Renders the merchant, the order, and links to the page in its other languages. */
const renderOrderHeader = (context: OrderContext): SafeHtml => {
  const { locale, text, page, builtIn, order } = context
  const { merchant, logo, test, payment_ref } = order
  return html`<header>
<p class="who">${
    logo
      ? html`<img src="${logo}" alt="${merchant}" height="36">`
      : html`<span class="initial" aria-hidden="true">${[...merchant][0]?.toUpperCase()}</span>`
  }<span>${logo ? null : merchant}
${test ? html`<span class="is waiting">${text.test_badge}</span>` : null}
${payment_ref && html`<small>${formatOrderName(context)}</small>`}</span></p>
${renderLanguageLinks(locale, page, builtIn)}
</header>`
}

/** Returns the name of an order. One such as "order-1038" needs no word before it. */
const formatOrderName = ({ text, order: { payment_ref } }: OrderContext): string =>
  payment_ref.toLowerCase().startsWith(text.order.toLowerCase())
    ? payment_ref
    : `${text.order} ${payment_ref}`

/** Renders the amount for people and for programs. */
export const renderAmountLine = ({ order }: OrderContext): SafeHtml =>
  html`<p class="amount"><data value="${order.amount_value}">${order.amount}</data></p>`

/** Renders merchant, amount and items of an order, next to a form. */
const renderOrderSection = (context: OrderContext): SafeHtml =>
  html`<div class="side">
${renderOrderHeader(context)}
<section class="order" aria-label="${formatOrderName(context)}">
<p class="quiet">${context.text.to_pay}</p>
${renderAmountLine(context)}
${renderFoldedItems(context)}
</section>
</div>`

/** Renders the items of an order that a phone folds, since the form below would be far down. */
function renderFoldedItems(context: OrderContext): SafeHtml | null {
  const { text, order } = context
  if (order.items.length === 0) return renderItems(context)
  return html`<details class="goods">
<summary>${text.items} (${order.items.length})</summary>
${renderItems(context)}
</details>`
}

/** Renders the items of an order with their total and tax. */
export function renderItems({ text, locale, order }: OrderContext): SafeHtml | null {
  const { items, currency, vat, amount } = order
  const tax = vat && `${text.of_which_vat} ${vat}`
  if (items.length === 0) return tax ? html`<p class="quiet">${tax}</p>` : null
  return html`<ul class="items">
${items.map((item) => renderItem(item, currency, locale))}<li class="total"><span>${text.total}
${tax && html`<small class="vat">${tax}</small>`}</span>
<span class="sum">${amount}</span></li>
</ul>`
}

function renderItem(item: Item, currency: Currency, locale: Locale): SafeHtml {
  const { description, artno, qty, amount } = item as JsonObject
  const sum = parseLooseAmount(String(amount ?? ''))
  const quantity = String(qty ?? '')
  return html`<li>
<span>${String(description ?? artno ?? '')}
${quantity === '' || quantity === '1' ? null : html`<span class="quiet">× ${quantity}</span>`}</span>
<span class="sum">${sum === undefined ? String(amount ?? '') : formatFigure(sum, currency, locale)}</span></li>
`
}

/** Renders the note that a payment is a test, with a link to its story. */
export const renderTestNote = (context: OrderContext): SafeHtml | null =>
  context.order.test
    ? html`<p class="quiet">${context.text.test} ${renderStoryLink(context)}</p>`
    : null

/** Renders the link from a tester's page to the payment's story. */
export const renderStoryLink = ({
  text,
  locale,
  builtIn,
  order: { story },
}: OrderContext): SafeHtml | null =>
  story === null ? null : html`<a href="${story}?lang=${locale}${builtIn}">${text.story}</a>`

export const leaveForm = (context: OrderContext): SafeHtml => {
  const label = `${context.text.cancel} ${context.order.merchant}`
  return renderActionForm(context, 'cancel', label)
}
