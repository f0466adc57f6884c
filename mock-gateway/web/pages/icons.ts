import { html, type SafeHtml, trustHtml } from './html.ts'

/** Drawings of the menu's entries by label, on 16 by 16 pixels. */
const DRAWINGS: Readonly<Record<string, string>> = {
  Overview: '<path d="M2.5 13.5v-5M8 13.5v-11M13.5 13.5v-8"/>',
  Payments: '<rect x="1.5" y="3.5" width="13" height="9" rx="1.5"/><path d="M1.5 6.5h13"/>',
  Subscriptions:
    '<path d="M13.5 6.5A5.8 5.8 0 0 0 3 5M2.5 9.5A5.8 5.8 0 0 0 13 11M3 2v3h3M13 14v-3h-3"/>',
  Customers:
    '<circle cx="8" cy="5.5" r="2.75"/><path d="M2.5 14c.5-3 2.6-4.5 5.5-4.5S13 11 13.5 14"/>',
  Requests: '<path d="M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5"/>',
  Webhooks:
    '<circle cx="4" cy="12" r="2"/><circle cx="12" cy="12" r="2"/><circle cx="8" cy="4" r="2"/><path d="M6 12h4M7 5.8 4.9 10.2M9 5.8l2.1 4.4"/>',
  'Test controls':
    '<path d="M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6"/><circle cx="10" cy="4.5" r="2"/><circle cx="6" cy="11.5" r="2"/>',
  'Check my shop': '<path d="m5.5 8 2 2 3.5-4"/><circle cx="8" cy="8" r="6"/>',
  Settings:
    '<circle cx="8" cy="8" r="2"/><path d="M8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M3.4 12.6l1.4-1.4M11.2 4.8l1.4-1.4"/>',
  Merchants: '<path d="M2 6.5 3.5 2.5h9L14 6.5M3 6.5v7h10v-7M2 6.5h12M6.5 13.5v-4h3v4"/>',
  Menu: '<path d="M2 4.5h12M2 8h12M2 11.5h12"/>',
}

/** Renders the icon of an entry of the menu; nothing for an unknown label. */
export const renderIcon = (label: string): SafeHtml | null =>
  label in DRAWINGS
    ? html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${trustHtml(DRAWINGS[label] ?? '')}</svg>`
    : null
