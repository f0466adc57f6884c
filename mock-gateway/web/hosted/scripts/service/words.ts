/**
 * Texts of old pages in Swedish and English, by their names in `data-mulang`; {0} is a value from
 * the page.
 */
const TEXTS: Readonly<Record<string, readonly [sv: string, en: string]>> = {
  amount: ['{0} {1}', '{0} {1}'],
  choose_payment_option: ['Välj hur du vill betala', 'Choose how to pay'],
  card_payment: ['Kort', 'Card'],
  swish_payment: ['Swish', 'Swish'],
  bank_payment: ['Bank', 'Bank'],
  paypal_payment: ['PayPal', 'PayPal'],
  invoice_payment: ['Faktura', 'Invoice'],
  processing_secure_payment: ['Betalningen behandlas', 'The payment is being processed'],
  card_holder: ['Kortinnehavare', 'Name on the card'],
  card_holder_placeholder: ['Förnamn Efternamn', 'First name Last name'],
  card_number: ['Kortnummer', 'Card number'],
  card_number_placeholder: ['•••• •••• •••• ••••', '•••• •••• •••• ••••'],
  card_not_accepted: ['Kortet kan inte användas här', 'The card cannot be used here'],
  exp_month: ['Månad', 'Month'],
  exp_year: ['År', 'Year'],
  expiry: ['Giltigt till', 'Expiry date'],
  cvc: ['Säkerhetskod', 'Security code'],
  pay_button: ['Betala', 'Pay'],
  paypal_btn: ['Betala med PayPal', 'Pay with PayPal'],
  paypal_hl: ['Betala med PayPal', 'Pay with PayPal'],
  easily_pay_with_trustly: ['Betala direkt från din bank', 'Pay directly from your bank'],
  easily_pay_with_swish_mobile: ['Betala med Swish i mobilen', 'Pay with Swish on your phone'],
  your_mobile_number: ['Ditt mobilnummer', 'Your mobile number'],
  individual: ['Privatperson?', 'Private person?'],
  business: ['Företag?', 'Company?'],
  your_email_address: ['Din e-postadress', 'Your email address'],
  your_phone_number: ['Ditt telefonnummer', 'Your phone number'],
  your_social_security_number: ['Ditt personnummer', 'Your personal number'],
  loading: ['Hämtar', 'Looking it up'],
  invoice_address_could_not_be_retrieved: [
    'Adressen kunde inte hämtas. Kontrollera personnumret.',
    'The address was not found. Check the personal number.',
  ],
  first_name: ['Förnamn', 'First name'],
  last_name: ['Efternamn', 'Last name'],
  company_name: ['Företagsnamn', 'Company name'],
  address: ['Adress', 'Address'],
  co_address: ['C/o-adress', 'C/o address'],
  zip: ['Postnummer', 'Postcode'],
  city: ['Ort', 'City'],
  powered_by: ['Drivs av', 'Powered by'],
  failed_message: [
    'Betalningen gick inte igenom. Kontrollera uppgifterna eller försök med ett annat kort.',
    'The payment did not go through. Check the details, or try another card.',
  ],
  validation_message: [
    'Alla fält måste fyllas i. Det som saknas är:',
    'All fields must be filled in. Missing:',
  ],
  charged_as: ['Kortet debiteras {0} {1}', 'The card will be charged {0} {1}'],
}

/** Returns a parameter of the page's address. */
export const readQuery = (name: string): string | null =>
  new URLSearchParams(location.search).get(name)

/**
 * Returns a text with the page's values, in the language of the address, else in the first supported
 * one of the browser, else in English (observed: 11.8); undefined for an unknown name: then the
 * page's own text stays.
 */
export function serviceText(name: string, given: readonly string[] = []): string | undefined {
  if (!Object.hasOwn(TEXTS, name)) return undefined
  const wished = [readQuery('lang') ?? '', ...navigator.languages]
    .map((each) => each.slice(0, 2).toLowerCase())
    .find((each) => each === 'sv' || each === 'en')
  const text = TEXTS[name]?.[wished === 'sv' ? 0 : 1]
  return text?.replace(/\{(\d)\}/g, (_, index) => given[Number(index)] ?? '')
}
