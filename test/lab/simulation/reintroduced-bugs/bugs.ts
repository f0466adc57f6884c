/** Change of a source file: replaces a piece of text that appears once. */
interface Edit {
  /** Path inside of `mock-gateway/`. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** Mistake that was made once, or could be made. The simulation must find it. */
interface Bug {
  /** Effect of the bug. */
  readonly says: string
  /** Names of the rules; the bug breaks at least one of them. */
  readonly breaks: readonly string[]
  /**
   * True if only one of some hundred runs finds the bug, so that only the full run of the tests
   * looks for it.
   */
  readonly isRare?: true
  readonly edits: readonly Edit[]
}

/**
 * Bugs that are reintroduced one at a time while the gateways of a run are loaded. The sources have
 * no switches for them. If the sources no longer contain a piece to replace, its test fails.
 */
export const BUGS: Readonly<Record<string, Bug>> = {
  'clock answers early': {
    says: 'A moved clock looks past what a request has begun just before, and answers that all is done',
    breaks: ['clock'],
    isRare: true,
    edits: [
      {
        file: 'scheduler/scheduler.ts',
        find: 'const others = await whenIdle(merchantId, left())',
        replace: 'const others = false as boolean | typeof LATE',
      },
      {
        file: 'scheduler/scheduler.ts',
        find: 'do await withTimeout(left(), runner.whenCaughtUp())\n    while ((await whenIdle(merchantId, left())) === true && left() > 0)',
        replace: '',
      },
      {
        file: 'scheduler/due-queue.ts',
        find: 'without: [...failed.keys()] }',
        replace: 'without: [...underWay.keys(), ...failed.keys(), ...resting.keys()] }',
      },
    ],
  },
  'lease ignored': {
    says: 'A gateway sends what another is sending',
    breaks: ['webhook sent by two'],
    edits: [
      {
        file: 'storage/webhook-leases.ts',
        find: "eb('lease_until', '<=', machineNow)",
        replace: "eb('lease_until', '<>', machineNow)",
      },
      {
        file: 'storage/webhook-deliveries.ts',
        find: "eb('d.lease_until', '<=', machineNow)",
        replace: "eb('d.lease_until', '<>', machineNow)",
      },
    ],
  },
  'flush after the answer': {
    says: 'What was answered is lost with the power',
    breaks: ['lost', 'states', 'webhook of nothing', 'webhook never sent'],
    edits: [
      {
        file: 'storage/database.ts',
        find: 'write: gate ? (work) => gate.pass(() => write(work, true)) : (work) => write(work, true)',
        replace:
          'write: gate ? (work) => gate.pass(() => write(work, false)) : (work) => write(work, false)',
      },
    ],
  },
  'retry into the next period': {
    says: 'A charge that failed is tried again when the next period has begun',
    breaks: ['a charge outside of its period'],
    edits: [
      {
        file: 'domain/subscription/dunning.ts',
        find: 'if (again >= next.next_at) return next',
        replace: '',
      },
    ],
  },
  'duplicate capture': {
    says: 'What was captured is captured again',
    breaks: ['captured twice'],
    edits: [
      {
        file: 'payments/capture.ts',
        find: 'if (!STATES[read.status].capturable) {',
        replace: `if (!STATES[read.status].capturable && read.status !== 'approved') {`,
      },
    ],
  },
  'lost wake-up': {
    says: 'What is to be written after three others were waits for ever',
    breaks: ['answered', 'opens'],
    edits: [
      {
        file: 'storage/group-commit.ts',
        find: 'while (waiting.length > 0)',
        replace: 'for (let left = 3; left > 0 && waiting.length > 0; left -= 1)',
      },
    ],
  },
  'counters off': {
    says: 'Lists say that they are shorter than they are',
    breaks: ['totals'],
    edits: [
      {
        file: 'storage/migrations/row-counts.ts',
        find: 'do update set count = count + 1;\n',
        replace: 'do update set count = count + 0;\n',
      },
    ],
  },
  'fixtures loaded by two': {
    says: 'Gateways that begin on new data at the same time each load what it begins with',
    breaks: ['opens', 'two successes of one payment_ref'],
    edits: [{ file: 'gateway/data.ts', find: 'onlyFirst: true', replace: 'onlyFirst: false' }],
  },
}
