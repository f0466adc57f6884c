import { html, type SafeHtml, trustHtml } from './html.ts'

/** Logos of the brands as SVG, 38 by 24. They are part of the page, which saves a request for each. */
const MARKS: Readonly<Record<string, string>> = {
  visa: '<text x="19" y="16.2" font-size="11.5" font-style="italic" textLength="28" lengthAdjust="spacingAndGlyphs" fill="#1a3a8f">VISA</text>',
  mastercard:
    '<circle cx="15" cy="12" r="7" fill="#e2231a"/><circle cx="23" cy="12" r="7" fill="#f79e1b"/><path d="M19 6.26a7 7 0 0 1 0 11.48 7 7 0 0 1 0-11.48" fill="#ff5f00"/>',
  maestro:
    '<circle cx="15" cy="12" r="7" fill="#0a7fc2"/><circle cx="23" cy="12" r="7" fill="#e2231a"/><path d="M19 6.26a7 7 0 0 1 0 11.48 7 7 0 0 1 0-11.48" fill="#6c6bbd"/>',
  amex: '<rect width="38" height="24" rx="4" fill="#1f6fc4"/><text x="19" y="15.6" font-size="9.5" textLength="30" lengthAdjust="spacingAndGlyphs" fill="#fff">AMEX</text>',
  diners:
    '<circle cx="19" cy="12" r="8" fill="#0a4f8f"/><path d="M17 7v10a5.4 5.4 0 0 1 0-10m4 0v10a5.4 5.4 0 0 0 0-10" fill="#fff"/>',
  discover:
    '<circle cx="31" cy="16.5" r="4" fill="#f58220"/><text x="19" y="10.5" font-size="6" textLength="30" lengthAdjust="spacingAndGlyphs" fill="#26302b">DISCOVER</text>',
  jcb: '<rect x="7" y="4.5" width="7.4" height="15" rx="2.5" fill="#0b5fae"/><rect x="15.3" y="4.5" width="7.4" height="15" rx="2.5" fill="#d7172f"/><rect x="23.6" y="4.5" width="7.4" height="15" rx="2.5" fill="#1a9a3f"/><text x="19" y="14.6" font-size="7.5" textLength="20.5" fill="#fff">JCB</text>',
}

/**
 * Draws the logo of a brand.
 * @param name text for screen readers; empty if the name follows as text
 */
export const renderBrandMark = (brand: string, name: string): SafeHtml =>
  html`<svg class="mark" viewBox="0 0 38 24" ${
    name === '' ? html`aria-hidden="true"` : html`role="img" aria-label="${name}"`
  }><rect x=".5" y=".5" width="37" height="23" rx="3.5" fill="#fff" stroke="#d5dad7"/>
${trustHtml(MARKS[brand] ?? '')}</svg>`
