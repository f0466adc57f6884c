import type {
  AnswerName,
  PageMethod,
  RedirectMethod,
} from '../../../domain/order/payment-methods.ts'

/** Returns the interval of a plan, such as "varannan månad" or "var 3:e månad". */
const everySwedish = (count: number, unit: string): string => {
  if (count === 2) return `varannan ${unit}`
  const hasShortEnding = [1, 2].includes(count % 10) && ![11, 12].includes(count % 100)
  return `var ${count}:${hasShortEnding ? 'a' : 'e'} ${unit}`
}

/** Words of the payment pages in Swedish; every other language has the same keys. */
export const sv = {
  title: 'Betala till',
  to_pay: 'Att betala',
  pay: 'Betala',
  paying: 'Betalar …',
  order: 'Beställning',
  items: 'Varor',
  total: 'Summa',
  of_which_vat: 'varav moms',
  card: 'Kortuppgifter',
  card_number: 'Kortnummer',
  card_holder: 'Namn på kortet',
  card_expiry: 'Går ut',
  card_expiry_hint: 'MM/ÅÅ',
  card_cvv: 'Säkerhetskod',
  card_cvv_hint: '3–4 siffror',
  cards_taken: 'Kort som tas emot',
  card_seen: { a: 'Korttyp:', an: 'Korttyp:' },
  card_code: { three: '3 siffror', four: '4 siffror' },
  card_again: 'Kortuppgifterna sparas inte. Fyll i dem igen.',
  choose_method: 'Betalsätt',
  methods: {
    credit_card: {
      name: 'Kort',
      follows:
        'Namnet på kortet, giltighetstiden, korttypen och numrets sex första och fyra sista siffror',
    },
    invoice: {
      name: 'Faktura',
      intro: 'Du får varorna först. Fakturan kommer efteråt, till din folkbokföringsadress.',
      follows: 'Ditt personnummer, och namnet och adressen som fakturan går till',
    },
    swish: {
      name: 'Swish',
      intro: 'Du godkänner betalningen i Swish-appen.',
      approval: 'Godkänn betalningen i Swish',
      follows: 'Mobilnumret du använder för Swish',
    },
    bank: {
      name: 'Bank',
      intro: 'Du loggar in på din bank, godkänner betalningen där och kommer tillbaka hit.',
      approval: 'Godkänn betalningen hos din bank',
      place: 'din bank',
      follows: 'Att du betalade från din bank, men ingenting om kontot',
    },
    paypal: {
      name: 'PayPal',
      intro: 'Du loggar in på PayPal, godkänner betalningen där och kommer tillbaka hit.',
      approval: 'Godkänn betalningen i PayPal',
      follows: 'Att du betalade med PayPal, men ingenting om kontot',
    },
  },
  continue_to: 'Fortsätt till',
  swish_number: 'Mobilnummer',
  swish_number_hint: 'Numret du använder för Swish, till exempel 070\u2011123\u00a045\u00a067',
  swish_open_hint: 'Vi har skickat en betalningsbegäran till det här numret:',
  swish_scan: 'Eller skanna koden med mobilen. Den öppnar den här sidan.',
  page_code: 'QR-kod till den här sidan',
  invoice_buy: 'Köp mot faktura',
  invoice_unknown: 'Vi hittade inte din adress. Fyll i den här.',
  personal_number: 'Personnummer',
  personal_number_hint:
    'Sverige\u00a0ÅÅÅÅMMDD\u2011NNNN, Norge\u00a0DDMMÅÅNNNNN, Finland\u00a0DDMMÅÅ\u2011NNNN',
  country_code: 'Land',
  choose: 'Välj',
  email: 'E-post',
  phone: 'Telefon',
  name: 'Namn',
  first_name: 'Förnamn',
  last_name: 'Efternamn',
  address_1: 'Adress',
  address_2: 'Adress, rad 2',
  zip: 'Postnummer',
  city: 'Ort',
  optional: 'valfritt',
  email_meant: 'Menade du',
  yes: 'Ja',
  no: 'Nej',
  your_details: 'Dina uppgifter',
  saved_cards: 'Dina sparade kort',
  saved_card_until: 'giltigt till',
  remove: 'Ta bort',
  remove_card: 'Ta bort kortet',
  card_removed: 'Kortet är borttaget.',
  another_card: 'Använd ett annat kort',
  store_card: 'Spara kortet till nästa gång',
  plans: 'Välj prenumeration',
  intervals: {
    days: { one: 'per dag', many: (count: number) => everySwedish(count, 'dag') },
    months: { one: 'per månad', many: (count: number) => everySwedish(count, 'månad') },
  },
  wallets: 'Betala med en digital plånbok',
  wallets_or: 'eller välj ett annat sätt att betala',
  wallet_simulated: 'Simulerad',
  wallet_card: 'Kort i plånboken',
  wallet_pay: 'Betala med',
  wallet_close: 'Betala med kort i stället',
  paid_in: 'Dras från kortet',
  persons: 'Testpersoner',
  persons_hint: 'Kreditupplysningen ger dessa svar. Alla andra giltiga nummer godkänns.',
  person_number: 'Nummer',
  person_answer: 'Svar',
  person_approved: 'Godkänns',
  simulator: 'Simulator:',
  simulator_hint: 'Välj vad som händer. Ingen riktig app eller bank tillfrågas.',
  simulator_error: 'ger fel',
  other_method: 'Välj ett annat betalsätt',
  answers: {
    approved: 'Godkänn',
    declined: 'Neka',
    canceled: 'Avbryt',
    timeout: 'Låt tiden gå ut',
    failed: 'Tekniskt fel',
    insufficient_funds: 'För lite pengar på kontot',
    account_declined: 'Banken godkänner inte kontot',
    account_not_found: 'Kontot finns inte',
    disabled_user: 'Betalaren är spärrad',
    deposit_not_captured: 'Överföringen genomförs inte',
  },
  follows: 'Det här ser butiken',
  follows_typed: 'Det du fyller i här:',
  follows_browser: 'Din webbläsare och IP-adress',
  secure: 'Butiken får inte se numret eller koden.',
  test: 'Testbetalning: inga pengar flyttas.',
  test_badge: 'Test',
  story: 'Betalningens steg',
  story_back: 'Tillbaka till betalningen',
  helper_hint: 'Fyll i ett kort:',
  helper_declined: 'Nekas',
  helper_more: (count: number) => `${count} till`,
  helper_card: 'Kort',
  helper_cvv: 'CVV',
  helper_outcome: 'Utfall',
  outcome_approved: 'Godkänns',
  outcome_declined: 'Nekas av banken',
  outcome_cvv: 'Fel säkerhetskod',
  outcome_expired: 'Kortet har gått ut',
  outcome_challenge: ' (banken frågar)',
  outcome_mistyped: 'Felskrivet nummer',
  error_prefix: 'Fel:',
  problem: 'Det gick inte att betala',
  problem_form: 'Kontrollera uppgifterna',
  cancel: 'Avbryt och gå tillbaka till',
  tries_left: 'Försök kvar:',
  time_left: 'Sidan stängs om två minuter.',
  extend: 'Ge mig mer tid',
  extend_failed: 'Du fick inte mer tid. Kontrollera anslutningen och försök igen.',
  paid: 'Betalningen är klar',
  reserved: 'Beloppet är reserverat',
  reserved_hint: 'Butiken drar pengarna när varorna skickas.',
  bought: 'Köpet är klart',
  bought_hint: 'Fakturan kommer till dig när varorna har skickats.',
  receipt: 'Kvitto',
  paid_at: 'Betald',
  date: 'Datum',
  card_used: 'Kort',
  reference: 'Referens',
  refunded: 'Återbetalt',
  details: 'Uppgifter från butiken',
  print: 'Skriv ut',
  own_page_trouble: 'Fungerar sidan inte som den ska?',
  own_page_way_out: 'Betala på en enklare sida',
  back: 'Tillbaka till butiken',
  previous: 'Tillbaka till föregående sida',
  challenge: 'Fortsätt verifieringen',
  challenge_hint:
    'Din bank väntar på ditt svar. Om du lämnar sidan innan du har svarat dras inga pengar.',
  minutes_left: 'Minuter kvar:',
  waiting: 'Bekräfta betalningen hos din bank',
  waiting_hint: 'Sidan uppdateras automatiskt. Stäng den inte.',
  waiting_long:
    'Det här tar längre tid än väntat. Ladda om sidan om en stund, eller fråga butiken. Du betalar inte två gånger.',
  expired: 'Tiden för att betala har gått ut',
  expired_hint: 'Inga pengar har dragits. Gå tillbaka till butiken och börja om.',
  used_up: 'Betalningen misslyckades',
  used_up_hint:
    'Du har inga försök kvar. Inga pengar har dragits. Gå tillbaka till butiken och börja om.',
  unpayable: 'Beställningen kan inte betalas',
  unpayable_hint: 'Något är fel med beloppet. Inga pengar har dragits. Kontakta butiken.',
  link_hint: 'På nästa sida väljer du hur du betalar.',
  link_pay: 'Fortsätt till betalningen',
  link_until: 'Betala senast',
  link_over: 'Länken gäller inte längre',
  link_ended: {
    closed: 'Butiken har stängt den. Inga pengar har dragits. Kontakta butiken om du vill betala.',
    expired: 'Tiden för att betala har gått ut. Inga pengar har dragits. Be butiken om en ny länk.',
    used_up:
      'Betalningen är redan gjord. Inga pengar har dragits nu. Kontakta butiken om något inte stämmer.',
  },
  unknown_link: 'Vi hittar inte betalningen',
  sorry: 'Något gick fel',
  sorry_hint: 'Gå tillbaka till butiken för att se hur det har gått med beställningen.',
  errors: {
    'errors.transaction.not_found': 'Länken kan vara för gammal, eller så saknas en del av den.',
    'errors.not_found': 'Länken kan vara för gammal, eller så saknas en del av den.',
    'errors.card_number.missing': 'Fyll i kortnumret.',
    'errors.card_number.invalid': 'Kortnumret stämmer inte. Kontrollera alla siffror.',
    'errors.card_holder.missing': 'Fyll i namnet som står på kortet.',
    'errors.card_holder.invalid':
      'Fyll bara i namnet på kortet, inte kortnumret eller säkerhetskoden.',
    'errors.card_expiry.missing': 'Fyll i månad och år då kortet går ut.',
    'errors.card_expiry.invalid': 'Fyll i månad och år med två siffror var, till exempel 12/30.',
    'errors.card.expired':
      'Kortet har gått ut. Kontrollera månad och år, eller använd ett annat kort.',
    'errors.card_cvv.missing': 'Fyll i kortets säkerhetskod.',
    'errors.card_cvv.invalid': 'Skriv säkerhetskoden som den står på kortet.',
    'errors.card_type.unsupported': 'Butiken tar inte emot det här kortet. Använd ett annat.',
    'errors.transaction.timeout':
      'Tiden för att svara gick ut. Inga pengar har dragits. Försök igen.',
    'errors.invalid.email': 'Fyll i en e-postadress, till exempel anna@example.com.',
    'errors.missing_or_invalid.phone_number':
      'Fyll i ett telefonnummer, till exempel 070\u2011123\u00a045\u00a067.',
    'errors.personal_number.missing': 'Fyll i ditt personnummer.',
    'errors.missing_or_invalid.ssn': 'Personnumret stämmer inte. Kontrollera alla siffror.',
    'errors.helper.ssn.for_sweden_must_be_12_digits':
      'Fyll i personnumret med alla 12 siffror, ÅÅÅÅMMDDNNNN.',
    'errors.first_name.missing': 'Fyll i ditt förnamn.',
    'errors.last_name.missing': 'Fyll i ditt efternamn.',
    'errors.address.missing': 'Fyll i din adress.',
    'errors.zip.missing': 'Fyll i ditt postnummer.',
    'errors.city.missing': 'Fyll i din ort.',
    'errors.country_code.missing': 'Välj ditt land.',
    'errors.stored_card.not_active': 'Det här sparade kortet är borttaget. Använd ett annat.',
    'errors.payment.declined':
      'Banken nekade betalningen. Inga pengar har dragits. Försök igen eller betala på ett annat sätt.',
    'errors.payment.canceled': 'Du avbröt betalningen. Inga pengar har dragits.',
    'errors.amount.mismatch':
      'Beställningen har ändrats sedan du öppnade sidan. Inga pengar har dragits. Kontrollera beloppet.',
  },
} as const satisfies MethodTexts & Readonly<Record<string, unknown>>

/**
 * Texts of the payment methods: `approval` is shown while the payer answers elsewhere, `place` is
 * where that is if its name does not say so, `follows` is the data that the shop receives.
 */
interface MethodTexts {
  readonly methods: {
    readonly [Method in PageMethod]: Method extends RedirectMethod
      ? Readonly<Record<'name' | 'intro' | 'approval' | 'follows', string> & { place?: string }>
      : { readonly name: string; readonly intro?: string; readonly follows: string }
  }
  readonly answers: Readonly<Record<AnswerName, string>>
}

type SameKeys<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string
    ? string
    : Texts[Key] extends (count: number) => string
      ? (count: number) => string
      : SameKeys<Texts[Key]>
}

export type HostedTexts = SameKeys<typeof sv>
