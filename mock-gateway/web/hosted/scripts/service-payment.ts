import { mountForms, tellOutcome } from './service/forms.ts'
import { mountInvoice } from './service/invoice.ts'
import { show } from './service/shown.ts'
import { mountTabs } from './service/tabs.ts'

/*
 * Stands in for the service's own script of the payment page, which pages of 2016 name by
 * `default_payment_js_endpoint`. It does what such pages count on (observed: 11.4 to 11.7) with the
 * elements that they have, and needs no jQuery.
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
