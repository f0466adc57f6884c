/** A change of a file in the data folder, or bytes that the gateway sent; steps are in order. */
export type Step =
  | {
      readonly kind: 'write'
      readonly file: string
      readonly at: number
      readonly bytes: Uint8Array
    }
  | { readonly kind: 'resize'; readonly file: string; readonly size: number }
  /** The bytes are on the disk. */
  | { readonly kind: 'flush'; readonly file: string }
  | { readonly kind: 'create' | 'remove'; readonly file: string }
  /** A further name, or another one. */
  | { readonly kind: 'link' | 'rename'; readonly file: string; readonly to: string }
  /** The names in the folder are on the disk. */
  | { readonly kind: 'flush names' }
  /** The folder itself was made, and its name in the folder above is on the disk. */
  | { readonly kind: 'make folder' | 'flush folder' }
  /** Bytes of an answer or of a webhook went out, with the id of the request or of the event. */
  | { readonly kind: 'said'; readonly id: string }

export type Trace = readonly Step[]
