import type { Addresses } from '../domain/addresses.ts'
import type { Control } from './banner.ts'

/** A gateway that listens. */
export interface RunningGateway {
  /** Address of the gateway, such as http://localhost:4400. */
  readonly url: string
  readonly addresses: Addresses
  /** PEM of the certificate that clients must trust; undefined without TLS. */
  readonly certificate: string | undefined
  /** The first merchant, for examples that pay. */
  readonly merchant: { readonly id: number; readonly password: string; readonly secret: string }
  /** The key of `/_control`, and whether the operator chose it; a chosen key is not printed. */
  readonly control: Control
  /** Answers a request without a network connection. */
  readonly handle: (request: Request) => Promise<Response>
  /** Sets the address of the example shops, for the home page. */
  setExamplesUrl(url: string): void
  /** Waits a few seconds for running requests, then closes the database. */
  close(): Promise<void>
}

/** Runs a gateway: see `runGateway` in `cli.ts`. */
export type RunGateway = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  print: (text: string) => void,
  defaults?: Readonly<Record<string, string>>,
) => Promise<RunningGateway>

/** Default settings of a gateway that a command starts for itself. Its log must not mix with theirs. */
export const TEMPORARY = { PORT: '0', MONDIDO_MEMORY: '1', LOG_LEVEL: 'silent' }
