import type { Texts } from '../shared/texts.ts'

const en = {
  title: 'Examples',
  intro:
    'Small shops to try and to copy. Pay with 4111\u00a01111\u00a01111\u00a01111, any future date, CVV 200.',
  programs: 'Programs',
  programsText: 'Run each in a second terminal while this gateway runs.',
  addresses: 'Addresses',
  gateway: 'Gateway',
  console: 'Console',
  consoleText: 'every payment, and why one was refused',
  documentation: 'Documentation',
  control: 'Control, with its key',
  keyOff: 'off',
  keyChosen: 'the key that you chose',
  'ajax-checkout': 'pays in the page, with the browser library',
  'stored-card': 'remembers a card, and pays again with one click',
  'hosted-redirect': 'sends the payer to the payment page and back',
  'hosted-iframe': 'shows the payment page in a frame',
  'form-post': 'posts a plain form, with or without the card',
  'three-d-secure': 'meets the payer’s bank: a test card for every outcome',
  react: 'pays in a React app under Vite, without jQuery',
  'server-to-server': 'reserves, captures and refunds from a server',
  'webhook-receiver': 'checks webhooks, and receives them again after a 500',
  subscription: 'charges five years in seconds',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  title: 'Exempel',
  intro:
    'Små butiker att prova och att kopiera. Betala med 4111\u00a01111\u00a01111\u00a01111, ett framtida datum, CVV 200.',
  programs: 'Program',
  programsText: 'De körs bredvid den här betaltjänsten, i en egen terminal.',
  addresses: 'Adresser',
  gateway: 'Betaltjänst',
  console: 'Konsol',
  consoleText: 'varje betalning, och varför en nekades',
  documentation: 'Dokumentation',
  control: 'Styrning, med sin nyckel',
  keyOff: 'avstängd',
  keyChosen: 'nyckeln som du valde',
  'ajax-checkout': 'betalar på sidan, med webbläsarbiblioteket',
  'stored-card': 'minns ett kort och betalar igen med ett klick',
  'hosted-redirect': 'skickar betalaren till betalsidan och tillbaka',
  'hosted-iframe': 'visar betalsidan i en ram',
  'form-post': 'postar ett vanligt formulär, med eller utan kortet',
  'three-d-secure': 'möter betalarens bank: ett testkort för varje utfall',
  react: 'betalar i en React-app under Vite, utan jQuery',
  'server-to-server': 'reserverar, drar och återbetalar från en server',
  'webhook-receiver': 'kontrollerar webhooks och får dem igen efter ett 500',
  subscription: 'drar fem år på några sekunder',
}

/** The texts of the list, and a line for each example. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
