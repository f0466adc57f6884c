import { html, type SafeHtml } from '../../pages/html.ts'
import type { BankContext } from './sheet.ts'

/**
 * Reports that the payer has arrived or leaves, which the library reads: a window that looks closed
 * from the shop may be open.
 */
export const presenceScript = ({ nonce }: BankContext): SafeHtml => html`<script nonce="${nonce}">
const page = String(Math.random())
const tell = (left) =>
  navigator.sendBeacon(location.pathname + '/page', new URLSearchParams({ page, left }))
addEventListener('pageshow', () => tell(false))
addEventListener('pagehide', () => tell(true))
</script>
`
