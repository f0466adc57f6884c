import type { Texts } from '../shared/texts.ts'

const en = {
  title: 'Examples',
  intro:
    'Small shops to try and to copy. Pay with card 4111\u00a01111\u00a01111\u00a01111, any future expiry date and CVV 200.',
  programs: 'Programs',
  programsText: 'Run each in a second terminal while this gateway runs.',
  addresses: 'Addresses',
  gateway: 'Gateway',
  console: 'Console',
  consoleText: 'every payment, and the reason for every rejected request',
  documentation: 'Documentation',
  control: 'Control API and its key',
  keyOff: 'off',
  keyChosen: 'the key that you chose',
  'ajax-checkout': 'pays in the page, with the browser library',
  'stored-card': 'stores a card, and pays again with one click',
  'hosted-redirect': 'sends the payer to the payment page and back',
  'hosted-iframe': 'shows the payment page in a frame',
  'form-post': 'posts a plain form, with or without the card',
  'three-d-secure': 'pays with 3-D Secure: a test card for every result',
  react: 'pays in a React app under Vite, without jQuery',
  'server-to-server': 'reserves, captures and refunds from a server',
  'webhook-receiver': 'verifies webhooks, and receives them again after status 500',
  subscription: 'charges five years of a subscription in seconds',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  title: 'Exempel',
  intro:
    'Små butiker att prova och att kopiera. Betala med kort 4111\u00a01111\u00a01111\u00a01111, ett giltighetsdatum i framtiden och CVV 200.',
  programs: 'Program',
  programsText: 'Kör ett program i en egen terminal medan betaltjänsten är igång.',
  addresses: 'Adresser',
  gateway: 'Betaltjänst',
  console: 'Konsol',
  consoleText: 'varje betalning, och varför ett anrop avvisades',
  documentation: 'Dokumentation',
  control: 'Styrning och dess nyckel',
  keyOff: 'avstängd',
  keyChosen: 'nyckeln som du valde',
  'ajax-checkout': 'betalar på sidan, med webbläsarbiblioteket',
  'stored-card': 'sparar ett kort och betalar igen med ett klick',
  'hosted-redirect': 'skickar betalaren till betalsidan och tillbaka',
  'hosted-iframe': 'visar betalsidan i en ram',
  'form-post': 'postar ett vanligt formulär, med eller utan kortet',
  'three-d-secure': 'betalar med 3-D Secure: ett testkort för varje utfall',
  react: 'betalar i en React-app under Vite, utan jQuery',
  'server-to-server': 'reserverar, drar och återbetalar från en server',
  'webhook-receiver': 'kontrollerar webhooks och får dem igen efter status 500',
  subscription: 'drar fem års prenumeration på några sekunder',
}

/** The texts of the list, and a line for each example. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
