/** Change of a file in the data folder, or bytes that the gateway sent. */
export type Step =
  | {
      readonly kind: 'write'
      readonly file: string
      readonly at: number
      readonly bytes: Uint8Array
    }
  | { readonly kind: 'resize'; readonly file: string; readonly size: number }
  /** The bytes of the file were flushed to the disk. */
  | { readonly kind: 'flush'; readonly file: string }
  | { readonly kind: 'create' | 'remove'; readonly file: string }
  /** A file got an additional name, or another name. */
  | { readonly kind: 'link' | 'rename'; readonly file: string; readonly to: string }
  /** The names in the folder were flushed to the disk. */
  | { readonly kind: 'flush names' }
  /** The folder itself was created, or its name in the parent folder was flushed to the disk. */
  | { readonly kind: 'make folder' | 'flush folder' }
  /** Bytes of an answer or of a webhook were sent, with the id of the request or of the event. */
  | { readonly kind: 'said'; readonly id: string }

export type Trace = readonly Step[]
