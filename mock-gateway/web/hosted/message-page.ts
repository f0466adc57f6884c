import type { GatewayError } from '../../domain/errors/errors.ts'
import type { Page } from './page.ts'
import { refusalText } from './texts.ts'

/** Something that is not about one payment. */
export const message = (refusal: GatewayError): Page => ({
  view: 'message',
  data: (locale) => ({ error: refusalText(refusal, locale), error_name: refusal.entry.name }),
})
