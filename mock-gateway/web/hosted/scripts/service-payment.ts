import { mountForms, tellOutcome } from './service/forms.ts'
import { mountInvoice } from './service/invoice.ts'
import { show } from './service/shown.ts'
import { mountTabs } from './service/tabs.ts'

/*
 * Replaces the service's own script of the payment page, which pages of 2016 load as
 * `default_payment_js_endpoint`. It implements the behaviour such pages rely on (observed: 11.4 to
 * 11.7) with their own elements, without jQuery.
 */

function mountPage(): void {
  mountTabs()
  mountInvoice()
  mountForms()
  show('.mondido-load', false)
  show('.mondido-payment')
  tellOutcome()
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', mountPage)
else mountPage()
