import { html, type SafeHtml } from '../../pages/html.ts'

/** The proof that a form is of this session (attack 47). Each form that posts begins with it. */
export const tokenField = ({ formToken }: { readonly formToken: string }): SafeHtml =>
  html`<input type="hidden" name="form_token" value="${formToken}">`
