import { html, type SafeHtml } from '../../pages/html.ts'

/**
 * Draws a picture that looks like a code to scan; it contains no data.
 * @param isMoving it changes, as the codes of electronic IDs do
 */
export const scanCode = (isMoving: boolean): SafeHtml =>
  html`<svg class="${isMoving ? 'qr moving' : 'qr'}" viewBox="0 0 29 29" width="132" height="132" aria-hidden="true"><path fill="#fff" d="M0 0h29v29H0z"/><path fill="none" stroke="#14201a" d="M4.5 4.5h6v6h-6zM18.5 4.5h6v6h-6zM4.5 18.5h6v6h-6z"/><path fill="#14201a" d="M6 6h3v3H6zM20 6h3v3h-3zM6 20h3v3H6z"/><path class="one" fill="#14201a" d="M13 4h1v2h-1zM15 5h2v2h-2zM12 8h2v2h-2zM15 9h1v3h-1zM4 13h2v1H4zM8 12h3v2H8zM6 15h2v1H6zM13 13h3v1h-3zM17 13h2v3h-2zM21 12h3v1h-3zM20 15h2v1h-2zM23 14h2v3h-2z"/><path class="other" fill="#14201a" d="M13 16h2v3h-2zM16 18h2v2h-2zM19 19h3v1h-3zM23 20h2v2h-2zM13 21h1v4h-1zM15 22h3v1h-3zM20 22h2v3h-2zM16 24h2v1h-2zM12 6h1v1h-1zM16 7h1v1h-1zM4 16h1v1H4zM9 15h2v2H9z"/></svg>`
