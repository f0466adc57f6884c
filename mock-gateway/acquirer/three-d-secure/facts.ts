import { createHmac } from 'node:crypto'
import type { Ambient } from '../../domain/ambient.ts'
import type { CardType } from '../../domain/card/card-types.ts'
import type {
  AuthenticationPlan,
  FinalAuthenticationResult,
  ServerIds,
} from '../../domain/card/three-d-secure.ts'
import { eciOf, VERDICTS } from './verdict.ts'

/** Facts of an authentication for the bank, as in `payment_response.three_d_secure` and the log. */
export interface AuthenticationFacts extends ServerIds {
  readonly version: string
  readonly flow: AuthenticationPlan['flow']
  readonly trans_status: string | null
  readonly trans_status_reason: string | null
  readonly eci: string
  /** 20 bytes in base64; null if nothing was authenticated. */
  readonly cavv: string | null
  /** 20 bytes in base64: the transaction id of version 1.0. */
  readonly xid: string
}

/** An authentication, and its result. */
export interface AuthenticationResult {
  readonly plan: Pick<AuthenticationPlan, 'flow' | 'version' | 'reason' | 'result'>
  readonly result: FinalAuthenticationResult
  readonly brand: CardType
  readonly ids: ServerIds
  /** Our id of the authentication. */
  readonly ref: string
  /** Secret of this authentication. */
  readonly key: string
}

/**
 * Returns the facts of an authentication. The same authentication always has the same facts.
 */
export function authenticationFacts({
  plan,
  result,
  brand,
  ids,
  ref,
  key,
}: AuthenticationResult): AuthenticationFacts {
  const { transStatus, reason, strength } = VERDICTS[result]
  return {
    version: plan.version,
    flow: plan.flow,
    trans_status: transStatus,
    trans_status_reason: (result === plan.result ? plan.reason : undefined) ?? reason,
    eci: eciOf(brand, result),
    cavv: strength === 'none' ? null : cryptogram(key, `cavv ${ref}`),
    xid: cryptogram(key, `xid ${ref}`),
    ...ids,
  }
}

const cryptogram = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, 20).toString('base64')

/** Creates the ids of a new authentication. */
export const serverIds = (randomBytes: Ambient['randomBytes']): ServerIds => ({
  ds_trans_id: uuid(randomBytes),
  acs_trans_id: uuid(randomBytes),
  three_ds_server_trans_id: uuid(randomBytes),
})

/** Creates a UUID of version 4 (RFC 9562, 5.4). */
function uuid(randomBytes: Ambient['randomBytes']): string {
  const bytes = Buffer.from(randomBytes(16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
