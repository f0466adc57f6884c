import { z } from 'zod'
import type { Addresses } from '../domain/addresses.ts'
import type { Changes } from '../domain/changes.ts'
import { type ErrorName, GatewayError } from '../domain/errors/errors.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { MerchantsDependencies } from '../merchants/administer.ts'
import type { Authenticator } from '../merchants/authenticate.ts'
import type { KeyRing } from '../merchants/keys.ts'
import type { SeedDependencies } from '../merchants/random-seeds.ts'
import type { ResetDependencies } from '../merchants/reset.ts'
import type { Sessions } from '../merchants/sessions.ts'
import type { Story } from '../serializers/story/story.ts'
import type { Faults } from '../storage/faults.ts'
import type { NextOutcomes } from '../storage/next-outcomes.ts'
import { findAll, type Row, type Where } from '../storage/rows.ts'
import type { Templates } from '../templates/templates.ts'
import type { AdministerDependencies } from '../webhooks/administer.ts'
import type { MakeCall } from '../webhooks/http-call.ts'
import type { OpenWork } from '../work/work.ts'

/** Parts of the gateway that operations use. */
export interface Sandbox extends MerchantsDependencies, ResetDependencies, SeedDependencies {
  readonly addresses: Addresses
  readonly authenticator: Authenticator
  readonly sessions: Sessions
  readonly keys: KeyRing
  readonly faults: Faults
  readonly nextOutcomes: NextOutcomes
  readonly templates: Templates
  readonly webhooks: AdministerDependencies
  /** Calls the address of a webhook. */
  readonly callTarget: MakeCall
  /** Renders a story as one page of HTML without external resources. */
  readonly renderStory: (story: Story, now: number) => Promise<string>
}

/** One run of an operation. */
export interface OperationContext extends Sandbox {
  /** Undefined: all merchants. */
  readonly merchantId: number | undefined
  /** Epoch milliseconds by the common clock. */
  readonly now: number
  readonly getNow: (merchantId: number) => number
  /** Epoch milliseconds of the machine. */
  readonly machineNow: () => number
  readonly changes: Changes
  /** Opens the unit of work of a merchant. */
  readonly openWork: (merchant: Merchant) => OpenWork
  /** Masks card numbers in free text before it is stored. */
  readonly mask: <Value extends object>(value: Value) => Value
}

/** The context of an operation for one merchant. */
export interface MerchantContext extends OperationContext {
  readonly merchantId: number
  work(): OpenWork
}

/**
 * Merchants that an operation applies to: `any` applies to all unless `merchant_id` names one;
 * `one` requires it; `first` uses the first merchant by default; `none` has no merchant.
 */
type Whose = 'any' | 'one' | 'first' | 'none'

/** Errors of invalid input. */
export interface InputErrors {
  readonly unknown: ErrorName
  readonly invalid: ErrorName
}

/** A prepared input, for buttons and documents. */
interface OperationExample {
  /** Describes the effect as an order, such as "Answer 503 for a minute". */
  readonly says: string
  readonly input: Readonly<Record<string, string | number | null>>
}

/** Something that only a mock can do. Adapters turn it into a route, a form, a command and a tool. */
export interface Operation {
  /** Subject and verb, such as `faults.inject`. */
  readonly name: string
  /** Method and path below `/_control`. A name after a colon is a field of the input. */
  readonly route: string
  /** Effect in one sentence, without a full stop. */
  readonly does: string
  /** More sentences for the documents. */
  readonly details?: string
  readonly whose: Whose
  readonly input: z.ZodObject
  /** The answer. */
  readonly output: z.ZodType
  /** Content type of the files that the operation can return instead of `output`. */
  readonly file?: string
  readonly errors: InputErrors
  readonly examples: readonly OperationExample[]
  /** @throws GatewayError of the catalogue */
  run(context: OperationContext, input: never): unknown
}

/** Operations of one subject, with its heading in the documents. */
export interface Subject {
  readonly title: string
  readonly about: string
  readonly operations: readonly Operation[]
}

export const BAD_FORMAT: InputErrors = {
  unknown: 'errors.request.bad_format',
  invalid: 'errors.request.bad_format',
}

/** An answer that is not JSON. */
export class FileAnswer {
  readonly type: string
  readonly content: string | Buffer
  /** Undefined: shown instead of downloaded. */
  readonly name: string | undefined

  constructor(type: string, content: string | Buffer, name?: string) {
    this.type = type
    this.content = content
    this.name = name
  }
}

type ContextFor<Of extends Whose> = Of extends 'one' | 'first' ? MerchantContext : OperationContext

/** Defines an operation. The fields of `input` are named as in requests. */
export function operation<
  Output extends z.ZodType,
  Input extends z.ZodObject = z.ZodObject,
  Of extends Whose = 'any',
>(definition: {
  readonly name: string
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`
  readonly does: string
  readonly details?: string
  /** Default: any. */
  readonly whose?: Of
  /** Default: no fields. */
  readonly input?: Input
  readonly output: Output
  readonly file?: string
  readonly errors?: InputErrors
  readonly examples?: readonly {
    readonly says: string
    readonly input: Partial<z.input<NoInfer<Input>>>
  }[]
  run(
    context: ContextFor<Of>,
    input: z.output<NoInfer<Input>>,
  ): Answer<z.output<NoInfer<Output>>> | Promise<Answer<z.output<NoInfer<Output>>>>
}): Operation {
  const usual = { whose: 'any', input: z.object({}), errors: BAD_FORMAT, examples: [] }
  return { ...usual, ...definition } as Operation
}

/** Lists of an answer may be read-only. */
type Answer<Value> = FileAnswer | ReadonlyDeep<Value>
type ReadonlyDeep<Value> = Value extends object
  ? { readonly [Name in keyof Value]: ReadonlyDeep<Value[Name]> }
  : Value

/** Finds the newest rows of a table: of the merchant, or of all merchants. */
export const findNewest = <Table extends MerchantTable>(
  { database, merchantId }: OperationContext,
  table: Table,
  {
    limit,
    offset = 0,
    ...where
  }: Where<Table> & { readonly limit: number; readonly offset?: number },
): Promise<Row<Table>[]> => {
  const own = { ...where, merchant_id: merchantId } as Where<Table>
  return findAll(database.db, table, own, { newestFirst: true, limit, offset })
}

/** Tables that operations list. */
type MerchantTable = 'mails' | 'notifications' | 'transactions' | 'webhook_deliveries'

export const notThere = (explain: string): GatewayError =>
  new GatewayError('errors.not_found', { explain })
