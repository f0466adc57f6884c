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
    'Pays in the page, with the browser library',
    'Betalar på sidan, med webbläsarbiblioteket',
  ],
  'stored-card': [
    'Stores a card, and pays again with one click',
    'Sparar ett kort och betalar igen med ett klick',
  ],
  'hosted-redirect': [
    'Sends the payer to the payment page and back',
    'Skickar betalaren till betalsidan och tillbaka',
  ],
  'hosted-iframe': ['Shows the payment page in a frame', 'Visar betalsidan i en ram'],
  'form-post': [
    'Posts a plain form, with or without the card',
    'Postar ett vanligt formulär, med eller utan kortet',
  ],
  'three-d-secure': [
    'Pays with 3-D Secure: a test card for every result',
    'Betalar med 3-D Secure: ett testkort för varje utfall',
  ],
  react: [
    'Pays in a React app under Vite, without jQuery',
    'Betalar i en React-app under Vite, utan jQuery',
  ],
  'server-to-server': [
    'Reserves, captures and refunds from a server',
    'Reserverar, drar och återbetalar från en server',
  ],
  'webhook-receiver': [
    'Verifies webhooks, and receives them again after status 500',
    'Kontrollerar webhooks och får dem igen efter status 500',
  ],
  subscription: [
    'Charges five years of a subscription in seconds',
    'Drar fem års prenumeration på några sekunder',
  ],
})
