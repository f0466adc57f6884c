/**
 * Tests of the programs in docs/how-to/verify-webhooks.md with genuine and forged webhooks, if
 * their language is installed.
 */

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../mock-gateway/domain/merchant.ts'
import {
  createSignatureHeaders,
  listSigningKeys,
} from '../../../mock-gateway/webhooks/signature.ts'
import { blocksOf } from '../../helpers/documents.ts'
import { isHere, programEnv } from '../../helpers/program.ts'
import { sharedFolder } from '../../helpers/shared.ts'

const MERCHANT = { id: 1, name: 'Shop', secret: 'sandbox-secret', settings: DEFAULT_SETTINGS }
const BODY = JSON.stringify({ id: 7, payment_ref: 'Å1', status: 'approved' })

/**
 * Languages, each with its program, and with a second file that verifies the webhook in
 * `webhook.json` and prints the event.
 */
const LANGUAGES: Readonly<
  Record<string, readonly [program: string, file: string, main: string, code: string]>
> = {
  php: [
    'php',
    'verify.php',
    'main.php',
    `<?php require 'verify.php'; $w = json_decode(file_get_contents('webhook.json'), true);
     echo json_encode(verified($w['headers'], $w['body'], 1, 'sandbox-secret'));`,
  ],
  ruby: [
    'ruby',
    'verify.rb',
    'main.rb',
    `require './verify'; w = JSON.parse(File.read('webhook.json', encoding: 'UTF-8'))
     puts JSON.generate(verified(w['headers'], w['body'], 1, 'sandbox-secret'))`,
  ],
  python: [
    'python3',
    'verify.py',
    'main.py',
    `import json; from verify import verified; w = json.load(open('webhook.json', encoding='utf-8'))
print(json.dumps(verified(w['headers'], w['body'].encode(), 1, 'sandbox-secret')))`,
  ],
  js: [
    process.execPath,
    'verify.mjs',
    'main.mjs',
    `import { readFileSync } from 'node:fs'; import { verified } from './verify.mjs'
     const { headers, body } = JSON.parse(readFileSync('webhook.json', 'utf8'))
     console.log(JSON.stringify(verified(headers, body, 1, 'sandbox-secret') ?? null))`,
  ],
}

const folder = await sharedFolder()

const SECONDS = Math.floor(Date.now() / 1000)
const genuine = (timestamp = SECONDS, merchant = MERCHANT) => ({
  headers: createSignatureHeaders(
    { id: 'msg_1', timestamp, body: BODY },
    listSigningKeys(merchant),
  ),
  body: BODY,
})

describe.each(Object.entries(LANGUAGES).filter(([, [program]]) => isHere(program)))(
  'the program in %s',
  (language, [program, file, main, code]) => {
    beforeAll(async () => {
      const sample = blocksOf('docs/how-to/verify-webhooks.md').find(
        (block) => block.language === language,
      )
      await writeFile(join(folder, file), sample?.code ?? '')
      await writeFile(join(folder, main), code)
    })

    async function verify(webhook: object): Promise<unknown> {
      await writeFile(join(folder, 'webhook.json'), JSON.stringify(webhook))
      const { stdout } = await promisify(execFile)(program, [main], {
        cwd: folder,
        env: programEnv(),
      })
      return JSON.parse(stdout)
    }

    test('accepts a genuine webhook, also next to a signature by another key', async () => {
      expect(await verify(genuine())).toEqual(JSON.parse(BODY))
      const { headers, body } = genuine()
      const both = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
      expect(await verify({ headers: both, body })).toEqual(JSON.parse(BODY))
    })

    test.each([
      ['a changed body', { ...genuine(), body: BODY.replace('approved', 'declined') }],
      ['the key of another secret', genuine(SECONDS, { ...MERCHANT, secret: 'other' })],
      ['an old timestamp', genuine(SECONDS - 86_400)],
      ['no headers', { headers: {}, body: BODY }],
    ])('rejects a webhook with %s', async (_what, webhook) =>
      expect(await verify(webhook)).toBeNull(),
    )
  },
)
