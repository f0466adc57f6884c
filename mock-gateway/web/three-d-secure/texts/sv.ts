import type { ChoiceAnswer, QuestionKind, StepOf } from '../../../domain/card/bank-questions.ts'

const PLACES = {
  cafe: 'På ett kafé',
  train: 'På tåget',
  books: 'I en bokhandel',
  shoes: 'I en skobutik',
  none: 'Inte på något av ställena',
} as const

/** Texts of the 3-D Secure pages in Swedish; every other language has the same keys. */
export const sv = {
  simulated: 'Simulerad bank',
  simulated_hint: 'Testmiljö: detta är ingen riktig bank och inga pengar flyttas.',
  merchant: 'Butik',
  amount: 'Belopp',
  date: 'Datum',
  card: 'Kort',
  code: 'Engångskod',
  code_hint: 'Koden här är 1234. Banken nekar vid 0000, eller efter tre felaktiga koder.',
  confirm: 'Bekräfta',
  cancel: 'Avbryt köpet',
  new_code: 'Skicka en ny kod',
  new_code_sent: 'En ny kod har skickats.',
  code_is: 'Koden är 1234.',
  more_time: 'Ge mig mer tid',
  time_left: 'Minuter kvar:',
  help: 'Behöver du hjälp?',
  help_text:
    'Din bank kontrollerar att det är du som handlar. Koden kommer i ett sms eller i bankens app.',
  help_code: 'Den här banken är simulerad: koden är alltid 1234.',
  choose: 'Välj resultatet',
  error_prefix: 'Fel:',
  tries_left: 'Försök kvar:',
  waiting: 'Din bank behandlar köpet',
  waiting_hint: 'Vänta på svaret. Sidan uppdateras automatiskt.',
  reload: 'Uppdatera nu',
  answered: 'Banken har svarat',
  answered_hint: 'Fortsätt till betalningen.',
  go_on: 'Fortsätt',
  verified: 'Verifieringen är klar',
  not_verified: 'Verifieringen godkändes inte',
  close_hint: 'Du kan stänga det här fönstret och gå tillbaka till butiken.',
  close: 'Stäng fönstret',
  ended: 'Bekräftelsen är avslutad',
  ended_hint: 'Länken kan vara för gammal, eller så saknas en del av den.',
  sorry: 'Något gick fel',
  sorry_hint: 'Gå tillbaka till butiken för att se hur det har gått med beställningen.',
  previous: 'Tillbaka till föregående sida',
  right_is: 'Rätt svar:',
  app_code: 'QR-kod till den simulerade appen',
  open_app: 'Öppna den simulerade appen',
  has_answered: 'Jag har svarat, gå vidare',
  app: 'Simulerad app',
  app_done: 'Här finns inget mer att svara på',
  app_said: 'Du svarade:',
  app_done_hint: 'Stäng fönstret och gå tillbaka till betalningen.',
  after_seconds: 'Fördröjning i sekunder:',
  questions: {
    code: {
      title: 'Bekräfta ditt köp',
      wrong: 'Koden är fel. Försök igen.',
      says: { asked: 'Din bank har skickat en kod till dig.' },
      answers: {},
    },
    app: {
      title: 'Bekräfta köpet i din banks app',
      wrong: '',
      says: {
        waiting: 'Öppna din banks app och godkänn köpet där. Sidan går vidare automatiskt.',
      },
      answers: { approve: 'Godkänn', deny: 'Neka' },
    },
    choice: {
      title: 'Svara på bankens fråga',
      wrong: 'Svaret är fel. Försök igen.',
      says: { asked: 'Var betalade du senast med kortet?' },
      answers: PLACES,
    },
    choices: {
      title: 'Svara på bankens fråga',
      wrong: 'Svaret är fel. Försök igen.',
      says: { asked: 'Var har du betalat med kortet den här veckan? Välj alla som stämmer.' },
      answers: PLACES,
    },
    bankid: {
      title: 'Bekräfta köpet med ditt e-id',
      wrong: '',
      says: {
        waiting: 'Öppna appen för e-id och skanna koden.',
        scanned: 'Koden är skannad. Skriv under i appen.',
      },
      answers: { scan: 'Skanna koden', sign: 'Skriv under', deny: 'Spärrat e-id' },
    },
  },
} as const satisfies QuestionTexts & Readonly<Record<string, unknown>>

/** Texts of challenge types, required in every language. */
interface QuestionTexts {
  readonly questions: {
    readonly [Kind in QuestionKind]: {
      readonly title: string
      /** Text of a wrong answer; empty if there can be none. */
      readonly wrong: string
      /** Text of each step. */
      readonly says: Readonly<Record<StepOf<Kind>, string>>
      readonly answers: Readonly<Record<ChoiceAnswer<Kind>, string>>
    }
  }
}

export type BankTexts = Readonly<Record<Exclude<keyof typeof sv, 'questions'>, string>> &
  QuestionTexts
