import { createTexts } from '../shared/texts.ts'

/** The texts of the list, and a line for each example. */
export const TEXTS = createTexts({
  title: ['Examples', 'Exempel'],
  intro: [
    'Small shops to try and to copy. Pay with card 4111\u00a01111\u00a01111\u00a01111, any future expiry date and CVV 200.',
    'Små butiker att prova och att kopiera. Betala med kort 4111\u00a01111\u00a01111\u00a01111, ett giltighetsdatum i framtiden och CVV 200.',
  ],
  programs: ['Programs', 'Program'],
  programsText: [
    'Run each in a second terminal while this gateway runs.',
    'Kör ett program i en egen terminal medan betaltjänsten är igång.',
  ],
  addresses: ['Addresses', 'Adresser'],
  gateway: ['Gateway', 'Betaltjänst'],
  console: ['Console', 'Konsol'],
  consoleText: [
    'every payment, and the reason for every rejected request',
    'varje betalning, och varför ett anrop avvisades',
  ],
  documentation: ['Documentation', 'Dokumentation'],
  control: ['Control API and its key', 'Styrning och dess nyckel'],
  keyOff: ['off', 'avstängd'],
  keyChosen: ['the key that you chose', 'nyckeln som du valde'],
  'ajax-checkout': [
    'pays in the page, with the browser library',
    'betalar på sidan, med webbläsarbiblioteket',
  ],
  'stored-card': [
    'stores a card, and pays again with one click',
    'sparar ett kort och betalar igen med ett klick',
  ],
  'hosted-redirect': [
    'sends the payer to the payment page and back',
    'skickar betalaren till betalsidan och tillbaka',
  ],
  'hosted-iframe': ['shows the payment page in a frame', 'visar betalsidan i en ram'],
  'form-post': [
    'posts a plain form, with or without the card',
    'postar ett vanligt formulär, med eller utan kortet',
  ],
  'three-d-secure': [
    'pays with 3-D Secure: a test card for every result',
    'betalar med 3-D Secure: ett testkort för varje utfall',
  ],
  react: [
    'pays in a React app under Vite, without jQuery',
    'betalar i en React-app under Vite, utan jQuery',
  ],
  'server-to-server': [
    'reserves, captures and refunds from a server',
    'reserverar, drar och återbetalar från en server',
  ],
  'webhook-receiver': [
    'verifies webhooks, and receives them again after status 500',
    'kontrollerar webhooks och får dem igen efter status 500',
  ],
  subscription: [
    'charges five years of a subscription in seconds',
    'drar fem års prenumeration på några sekunder',
  ],
})
