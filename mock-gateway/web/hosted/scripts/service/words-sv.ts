/**
 * What pages of old say, by the names that their elements have in `data-mulang`; {0} is what the
 * page gives. In Swedish.
 */
export const SERVICE_SV = {
  amount: '{0} {1}',
  choose_payment_option: 'Välj hur du vill betala',
  card_payment: 'Kort',
  swish_payment: 'Swish',
  bank_payment: 'Bank',
  paypal_payment: 'PayPal',
  invoice_payment: 'Faktura',
  processing_secure_payment: 'Betalningen behandlas',
  card_holder: 'Kortinnehavare',
  card_holder_placeholder: 'Förnamn Efternamn',
  card_number: 'Kortnummer',
  card_number_placeholder: '•••• •••• •••• ••••',
  card_not_accepted: 'Kortet kan inte användas här',
  exp_month: 'Månad',
  exp_year: 'År',
  expiry: 'Giltigt till',
  cvc: 'Säkerhetskod',
  pay_button: 'Betala',
  paypal_btn: 'Betala med PayPal',
  paypal_hl: 'Betala med PayPal',
  easily_pay_with_trustly: 'Betala direkt från din bank',
  easily_pay_with_swish_mobile: 'Betala med Swish i mobilen',
  your_mobile_number: 'Ditt mobilnummer',
  individual: 'Privatperson?',
  business: 'Företag?',
  your_email_address: 'Din e-postadress',
  your_phone_number: 'Ditt telefonnummer',
  your_social_security_number: 'Ditt personnummer',
  loading: 'Hämtar',
  invoice_address_could_not_be_retrieved: 'Adressen kunde inte hämtas. Kontrollera personnumret.',
  first_name: 'Förnamn',
  last_name: 'Efternamn',
  company_name: 'Företagsnamn',
  address: 'Adress',
  co_address: 'C/o-adress',
  zip: 'Postnummer',
  city: 'Ort',
  powered_by: 'Drivs av',
  failed_message:
    'Betalningen gick inte igenom. Kontrollera uppgifterna eller försök med ett annat kort.',
  validation_message: 'Alla fält måste fyllas i. Det som saknas är:',
  charged_as: 'Kortet debiteras {0} {1}',
}

/** Every language has the same names. */
export type ServiceWords = Readonly<Record<keyof typeof SERVICE_SV, string>>
