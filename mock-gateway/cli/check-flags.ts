/** Flags of `mondido-gateway check`, as `parseArgs` reads them and as its help shows them. */
export const CHECK_FLAGS = {
  plan: {
    type: 'string',
    default: 'shop-check.json',
    takes: 'file',
    help: 'the plan (default shop-check.json)',
  },
  init: { type: 'boolean', help: 'write the plan, after one purchase' },
  list: { type: 'boolean', help: 'list the cases' },
  only: { type: 'string', multiple: true, takes: 'case', help: 'run this case; repeatable' },
  seed: { type: 'string', takes: 'number', help: 'change the order of simultaneous events' },
  repeat: { type: 'string', takes: 'id', help: 'repeat a failure: its case and its seed' },
  'min-checked': { type: 'string', takes: 'number', help: 'fail if fewer cases are checked' },
  json: { type: 'boolean', help: 'print the results as JSON' },
  html: { type: 'string', takes: 'file', help: 'write a report for people' },
  junit: { type: 'string', takes: 'file', help: 'write the results for CI' },
  gateway: { type: 'string', takes: 'url', help: 'the gateway (default http://localhost:4400)' },
  'control-key': { type: 'string', takes: 'key', help: 'the control key it printed' },
  merchant: { type: 'string', takes: 'id', help: 'the merchant of the shop (default 1)' },
  password: { type: 'string', takes: 'text', help: "the merchant's password" },
} as const
