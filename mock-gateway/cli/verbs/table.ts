import type { FlagTable } from '../flags.ts'
import type { Command, Verb } from './verb.ts'

/**
 * Every command for a running gateway: help, errors and docs/reference/command.md follow this
 * table.
 */
export const VERBS: Readonly<Record<string, Verb>> = {
  pay: {
    usage: 'pay [amount] [currency]',
    does: 'pays with a test card (default 10.00 sek)',
    flags: {
      card: { takes: 'number', help: 'test card (default 4111111111111111)' },
      cvv: { takes: 'code', help: 'security code (default 200; 201 is declined)' },
      ref: { takes: 'text', help: 'payment_ref (default: a new one)' },
      authorize: { help: 'reserve the amount, to capture it later' },
    },
    words: 2,
    examples: ['pay', 'pay 12.50 eur --ref A100', 'pay --cvv 201'],
    load: () => import('./pay.ts'),
  },
  trigger: {
    usage: 'trigger <event>',
    does: 'sends a test webhook to your shop',
    flags: {
      to: { takes: 'url', help: "target address (default: the merchant's webhook)" },
      transaction: { takes: 'id', help: 'transaction in the body (default: the newest that fits)' },
    },
    words: 1,
    examples: [
      'trigger payment_success --to http://localhost:3000/hook',
      'trigger refund --transaction 7',
    ],
    load: () => import('./trigger.ts'),
  },
  tail: {
    usage: 'tail [requests] [payments] [webhooks]',
    does: 'prints requests, payments and webhooks as they arrive',
    flags: {
      failed: { help: 'only rejected requests, declined payments and failed webhooks' },
      last: { takes: 'number', help: 'start with the last N of each (default 0)' },
    },
    words: 3,
    examples: ['tail', 'tail webhooks --failed', 'tail payments --json | jq .status'],
    load: () => import('./tail.ts'),
  },
  resend: {
    usage: 'resend [webhook]',
    does: 'sends a webhook again (default: the newest)',
    flags: {},
    words: 1,
    examples: ['resend', 'resend 12'],
    load: () => import('./resend.ts'),
  },
  clock: {
    usage: 'clock [move]',
    does: 'shows or moves the clock: +1month, 2026-04-01, next',
    flags: {},
    words: 1,
    examples: [
      'clock',
      'clock +1month',
      'clock +90s',
      'clock 2026-04-01',
      'clock next',
      'clock freeze',
      'clock resume',
    ],
    load: () => import('./clock.ts'),
  },
  outcome: {
    usage: 'outcome [approved | declined | <error> | clear]',
    does: "sets the bank's answer to the next payment",
    flags: { times: { takes: 'number', help: 'number of payments (default 1)' } },
    words: 1,
    examples: [
      'outcome declined',
      'outcome errors.card.expired --times 3',
      'outcome',
      'outcome clear',
    ],
    load: () => import('./outcome.ts'),
  },
  snapshot: {
    usage: 'snapshot [list | save | restore | delete] [name]',
    does: 'saves all data under a name, or restores them',
    flags: {},
    words: 2,
    examples: ['snapshot save before-dunning', 'snapshot restore before-dunning', 'snapshot list'],
    load: () => import('./snapshot.ts'),
  },
  open: {
    usage: 'open',
    does: 'opens the console in your browser, logged in',
    flags: {
      print: { help: 'print the address, which works once within a minute' },
    },
    words: 0,
    examples: ['open', 'open --merchant 7'],
    load: () => import('./open.ts'),
  },
  explain: {
    usage: 'explain',
    does: 'explains the last rejected request',
    flags: {
      language: {
        takes: 'name',
        help: 'language of the sample (default: by the files here)',
      },
    },
    words: 0,
    examples: ['explain', 'explain --language php'],
    load: () => import('./explain.ts'),
  },
  hash: {
    usage: 'hash <payment_ref> <amount> [currency]',
    does: 'prints the hash of an order, or the mistake in a hash',
    flags: {
      customer: { takes: 'text', help: 'customer_ref' },
      live: { help: 'the order is sent without test=true' },
      sent: { takes: 'hash', help: 'a rejected hash, to find its mistake' },
    },
    words: 3,
    examples: ['hash A100 10.00 sek', 'hash A100 10.00 --sent 0cc175b9c0f1b6a831c399e269772661'],
    load: () => import('./hash.ts'),
  },
  do: {
    usage: 'do [operation] [flags]',
    does: 'runs an operation of the sandbox, such as faults.inject',
    flags: {},
    words: 1,
    examples: ['do', 'do faults.inject --kind drop', 'do faults.inject --help'],
    load: () => import('./do.ts'),
  },
  agent: {
    usage: 'agent',
    does: 'sets up coding assistants for this folder: MCP, a skill',
    flags: {},
    words: 0,
    examples: ['agent'],
    load: () => import('./agent.ts'),
  },
}

/** Flags of each of these commands. */
export const COMMON_FLAGS: FlagTable = {
  merchant: { takes: 'id', help: 'id of the merchant (default: the first)' },
  json: { help: 'print JSON' },
  data: { takes: 'folder', help: 'data folder of the gateway (default .mondido)' },
  gateway: { takes: 'url', help: 'address of the gateway, if it has no data folder here' },
  'control-key': {
    takes: 'key',
    help: 'its control key; MONDIDO_CONTROL_KEY is safer',
  },
  config: { takes: 'file', help: 'configuration file of the gateway' },
  help: { short: 'h', help: 'print this help' },
}

/** Flags of `mondido-gateway check`. */
export const CHECK_FLAGS = {
  plan: { takes: 'file', help: 'the plan (default shop-check.json)' },
  init: { help: 'write the plan, after one purchase' },
  list: { help: 'list the cases' },
  only: { takes: 'case', isList: true, help: 'run this case; repeatable' },
  seed: { takes: 'number', help: 'change the order of simultaneous events' },
  repeat: { takes: 'id', help: 'repeat a failure: its case and its seed' },
  'min-checked': { takes: 'number', help: 'fail if fewer cases are checked' },
  json: { help: 'print the results as JSON' },
  html: { takes: 'file', help: 'write a report for people' },
  junit: { takes: 'file', help: 'write the results for CI' },
  gateway: { takes: 'url', help: 'the gateway (default http://localhost:4400)' },
  'control-key': { takes: 'key', help: 'the control key it printed' },
  merchant: { takes: 'id', help: 'the merchant of the shop (default 1)' },
  password: { takes: 'text', help: "the merchant's password" },
} as const satisfies FlagTable

/** Commands that start a gateway themselves, or need more than a running one. */
export const OTHER_COMMANDS: Readonly<Record<string, Command & { readonly see: string }>> = {
  exec: {
    usage: 'exec [flags of the gateway] -- <command>',
    does: 'runs a command, such as npm test, with its own gateway',
    flags: {
      'wait-for': {
        takes: 'url',
        help: 'first wait until it answers, such as your shop; repeatable',
      },
    },
    examples: ['exec -- npm test', 'exec --wait-for http://localhost:3000 -- npx playwright test'],
    see: 'docs/reference/command.md#exec',
  },
  check: {
    usage: 'check <shop> [flags]',
    does: 'buys in your shop and reports its mistakes',
    flags: CHECK_FLAGS,
    examples: [
      'check http://localhost:3000 --init',
      'check http://localhost:3000',
      'check http://localhost:3000 --only webhook-twice',
    ],
    see: 'docs/how-to/check-my-shop.md',
  },
  mcp: {
    usage: 'mcp [flags of the gateway]',
    does: 'gives an assistant tools (Model Context Protocol)',
    flags: {},
    examples: ['mcp', 'mcp --data .mondido'],
    see: 'docs/reference/command.md#mcp',
  },
}
