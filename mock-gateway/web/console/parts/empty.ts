import { html, type SafeHtml } from '../../pages/html.ts'

/** Renders the place of a list without rows. @param next what to do about it */
export const emptyState = (text: string, next: SafeHtml | null = null): SafeHtml =>
  html`<div class="empty"><p>${text}</p>${next && html`<p class="quiet">${next}</p>`}</div>`
